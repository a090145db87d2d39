"""Facts with other ways to say them, and with other facts that sound alike; all of invented people."""

PARAPHRASES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "I'm allergic to peanuts.",
        (
            "Peanuts are something I can't have, I'm allergic.",
            "I have a peanut allergy.",
            "I get an allergic reaction from peanuts.",
        ),
        ("I'm allergic to pollen.", "I love peanut butter cups as a smell, not as food."),
    ),
    (
        "I take citalopram for anxiety.",
        (
            "My anxiety is treated with citalopram.",
            "I'm on citalopram because of my anxiety.",
            "For my anxiety the doctor prescribed citalopram.",
        ),
        ("I take vitamin D in winter.", "I take the tram to work."),
    ),
    (
        "I live in Ghent.",
        ("My home is in Ghent.", "Ghent is where I live.", "I have my flat in Ghent."),
        ("I live in Bruges.", "My sister studies law at a university far from here."),
    ),
    (
        "My sister Rita is getting divorced.",
        (
            "Rita, my sister, is going through a divorce.",
            "My sister Rita and her husband are divorcing.",
            "There's a divorce going on for my sister Rita.",
        ),
        ("My sister Rita plays the cello.", "My brother Tom is getting married."),
    ),
    (
        "I owe my brother 4,000 euros.",
        (
            "I still have to pay my brother back 4,000 euros.",
            "My brother lent me 4,000 euros that I owe him.",
            "I have a debt of 4,000 euros to my brother.",
        ),
        ("My brother is a plumber in Turin.", "My rent is 900 euros."),
    ),
    (
        "I was diagnosed with celiac disease last year.",
        (
            "Last year I got the diagnosis of celiac disease.",
            "I have celiac disease, diagnosed a year ago.",
            "I'm a celiac since last year's diagnosis.",
        ),
        ("I was promoted to shift lead last year.", "I bake bread every Sunday."),
    ),
    (
        "I work as a nurse at the Brightwater clinic.",
        (
            "My job is nursing at the Brightwater clinic.",
            "I'm employed as a nurse by the Brightwater clinic.",
            "I am a Brightwater clinic nurse.",
        ),
        ("I work as a gardener.", "My wife works at a bakery."),
    ),
    (
        "My cat Mosi died in March.",
        (
            "Mosi, my cat, passed away and died in March.",
            "In March my cat Mosi died.",
            "I lost my cat Mosi in March.",
        ),
        ("My dog Rex is four years old.", "I adopted a parrot in May."),
    ),
    (
        "I failed my driving test twice.",
        (
            "I've failed the driving test two times.",
            "Twice now I didn't pass my driving test.",
            "My driving test went wrong twice, I failed.",
        ),
        ("I passed my Spanish exam.", "I drive an old van."),
    ),
    (
        "I'm seeing a therapist called Dr. Okafor on Thursdays.",
        (
            "On Thursdays I have therapy with Dr. Okafor.",
            "Dr. Okafor is my therapist, I go every Thursday.",
            "My Thursday therapist is Dr. Okafor.",
        ),
        ("I go bouldering on Thursdays.", "My dentist is Dr. Lind."),
    ),
    (
        "I want to quit my job in September.",
        (
            "In September I'm going to quit my job.",
            "My plan is to quit my job come September.",
            "I intend to leave my job and quit in September.",
        ),
        ("I start a pottery course in September.", "I like my job."),
    ),
    (
        "I smoke ten cigarettes a day.",
        (
            "Every day I smoke about ten cigarettes.",
            "I'm a smoker of ten cigarettes a day.",
            "Ten cigarettes is what I smoke daily.",
        ),
        ("I drink two coffees a day.", "I run ten kilometres a week."),
    ),
    (
        "I moved out of my parents' house after a fight.",
        (
            "After a fight I moved out of my parents' place.",
            "I left my parents' house because we had a fight.",
            "A fight made me move out of the house of my parents.",
        ),
        ("My parents have a house by the lake.", "I moved my desk to the window."),
    ),
    (
        "I am six weeks pregnant.",
        (
            "I'm pregnant, in the sixth week.",
            "I've been pregnant for six weeks.",
            "Six weeks pregnant, that's what I am.",
        ),
        ("I have six nieces.", "My neighbour is pregnant with twins."),
    ),
    (
        "My salary is 52,000 dollars.",
        (
            "I earn a salary of 52,000 dollars.",
            "They pay me 52,000 dollars as a salary.",
            "I make 52,000 dollars, that is my salary.",
        ),
        ("My car cost 9,000 dollars.", "My salary comes on the 25th."),
    ),
    (
        "I'm afraid of flying.",
        ("Flying scares me.", "I have a fear of flying.", "I get scared when I'm flying."),
        ("I'm afraid of spiders.", "I fly to Oslo in June."),
    ),
)
"""What was forgotten; the same in other words; what may still be learned."""
