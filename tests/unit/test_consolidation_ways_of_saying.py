"""Many ways of saying what is worth knowing, and of saying what is not, in six languages."""

import pytest

from chatmem.consolidation.guard import screened
from chatmem.consolidation.rules import extract_by_rules
from chatmem.domain.memory import Candidate
from tests.fakes.builders import a_turn

WORTH_KNOWING = """
Our daughter Maya starts school in September.
I'm a paramedic in Leeds, mostly nights.
I have two kids, Tom and Elsie.
My wife's a vet.
I can't eat shellfish, my throat swells up.
We just bought a house in Tromsø.
I was diagnosed with coeliac disease last year.
I'm learning the cello.
I drive a 2009 Skoda.
I've been vegan since 2019.
I hate coriander.
My favourite band is Low.
I'm training for the Berlin marathon.
My name's Priya, by the way.
You can call me Jo.
I turned 50 last week.
I'm allergic to penicillin.
My flight to Lisbon is on 12 May at 7am.
I have a dentist appointment on Thursday at 3.
I work four days a week, Fridays off.
I use Arch, btw.
My mum lives in Cork.
My boss is called Henrike.
I'm left-handed.
I'm dyslexic so short sentences help.
We have a cabin near Røros.
I don't drink alcohol.
My son is autistic.
I run a small pottery studio.
I speak Tamil at home.
I'm colour blind.
My grandmother died in March.
I got the job!
I passed my driving test yesterday.
I split up with Dan in June.
Keep your answers under 100 words.
Always answer in French.
From now on use British spelling.
Please address me formally.
When I paste code, only point out bugs.
I'd like you to quote your sources every time.
Stop apologising.
Use Celsius.
Explain things like I'm a beginner when it comes to finance.
I prefer tabs over spaces.
I'd rather have tables than prose.
The fix was to restart the router after the firmware update.
Restarting didn't help, but replacing the cable did.
It turned out the fuse had blown.
We tried the new recipe and everyone loved it.
Both boys come in August for a fortnight.
Class of 31, two lessons on Mondays.
On call every third week.
Here in Tampere it's dark by three.
Working from the new place in Malmö since Tuesday, third floor.
Got a puppy last week, her name is Fig.
Booked the ferry for the 14th of June.
Remind me to renew my passport in March.
Just moved to a bigger flat.
Allergic to latex btw.
Vegetarian here.
Next month I start at the town hall.
My car got stolen on Sunday.
I no longer work at the bank.
I quit smoking in January.
I was offered a promotion.
No more than three hikes a week, my knee.
He's my cousin, he's a plumber.
Ich bin Lehrerin in Graz.
Ich habe zwei Kinder, Lina und Jonas.
Ich bin allergisch gegen Nüsse.
Meine Mutter wohnt in Bremen.
Wir haben einen Hund namens Balu.
Ich esse kein Fleisch.
Ich spiele Geige im Orchester.
Antworte bitte immer auf Deutsch.
Bitte duze mich.
Seit Mai arbeite ich bei der Bahn.
Ein Auto habe ich nicht.
Letzte Woche habe ich die Prüfung bestanden.
Mein Mann ist Koch.
Vivo en Sevilla con mi novio.
Trabajo de enfermera en un hospital.
Tengo un perro que se llama Toby.
Soy alérgico a los cacahuetes.
Mi hermana se casa en junio.
No bebo café.
A partir de ahora respóndeme en español.
Aquí en Quito llueve todas las tardes.
La semana pasada me mudé a Valencia.
Me llamo Inés y tengo 34 años.
J'habite à Lyon depuis trois ans.
Je suis infirmière.
J'ai deux chats, Mia et Oscar.
Je suis allergique aux noix.
Je ne mange pas de viande.
Mon frère travaille chez Airbus.
Tutoie-moi s'il te plaît.
Réponds toujours en français.
La semaine dernière j'ai adopté un chien.
Ma fille a six ans.
저는 부산에 살아요.
저는 간호사예요.
고양이 두 마리를 키워요.
땅콩 알레르기가 있어요.
앞으로는 존댓말로 해 주세요.
다음 달에 결혼해요.
매주 화요일에 수영을 배워요.
우리 언니는 변호사야.
이렇게 표로 정리해 주는 게 제일 좋아.
私は大阪に住んでいます。
看護師として働いています。
猫を二匹飼っています。
卵アレルギーがあります。
これからは敬語で答えてください。
妹は来月結婚します。
肉は食べません。
仕事は京都で高校の教師をしているので、朝が早いです。
毎週土曜日にテニスをしています。
I'm a glazier in Turku.
I am a retired teacher.
I'm a locksmith.
I'm in my second year of law school.
I work at a bakery on Mill Lane.
I'm moving to Oslo in March.
We're getting married in June.
My partner is a nurse.
I've got two daughters.
I have a cottage by the lake.
I have asthma.
I collect stamps.
I play chess on Thursdays.
I never eat breakfast.
I'm scared of spiders.
I want to learn Polish this year.
I'm saving up for a canoe.
I bought a kayak in April.
My landlord is selling the building.
The deadline for my grant is 3 October.
My sister-in-law Ada is a beekeeper.
I have a peanut allergy.
My dog Rolo is diabetic.
I drive an old Volvo.
I was born in Lagos.
We live on the fourth floor without a lift.
I'm vegan but I eat honey.
My daughter is starting uni in September.
I take metformin every morning.
I have a tattoo of a heron.
I broke my wrist last week.
I got promoted to team lead!
I'm a morning person.
My phone is an old Nokia.
I gave notice at work yesterday.
I've decided to stop drinking coffee.
I use a wheelchair.
I'm half Danish.
My Wi-Fi problem is solved: it was the microwave.
We tried three glues, only epoxy held.
Answer in one paragraph, please.
I like my summaries with bullet points.
Please write dates as day-month-year.
Never suggest recipes with cilantro.
If I ask for code, give me Rust.
Explain it briefly first, then in detail when I ask.
For recipes, use grams.
Meine Tochter kommt im August in die Schule.
Ich arbeite als Tischler in Kassel.
Ich trinke keinen Alkohol.
Seit letztem Jahr lerne ich Klavier.
Wir ziehen im März nach Wien.
Mi marido es bombero.
Estoy embarazada de cinco meses.
Tengo dos gatas, Luna y Sol.
Me gusta el senderismo.
Soy profesora de música en Granada.
Je travaille comme boulanger à Lille.
Ma sœur habite à Nantes.
Je joue du piano depuis dix ans.
J'ai un rendez-vous chez le dentiste mardi prochain.
저는 서울에서 개발자로 일해요.
저는 채식주의자예요.
남편은 의사예요.
다음 주에 이사해요.
私はピアノを弾きます。
夫は消防士です。
来週引っ越します。
私はベジタリアンです。
"""
NOT_WORTH_KNOWING = """
What's the capital of Peru?
Thanks, that's great!
Can you shorten this?
I might move to Spain someday.
If I had a dog I'd call it Rex.
Imagine I'm a pirate.
I'm kidding, I don't own a yacht.
Ok let me try that.
I think the second one is better.
I don't understand the last step.
I see.
I'm tired today.
I'm hungry.
Give me a recipe for soup.
Write a poem about my cat.
I wish I could play the piano.
Maybe I'll get a cat.
I'll have a look later.
I've no idea.
I just woke up.
It doesn't work.
I get an error in line 4.
I love it!
I like the first option.
I need help with my homework.
I'm looking for a gift.
I want a shorter version.
I was wondering if you could help.
My code crashes with a segfault.
I never said that.
I'm a bit lost here.
My bad.
I have a question about tax.
I'm at the supermarket right now.
I've read your answer twice.
I can finally see the result.
My screen went black just now.
I could eat a horse.
I'm dead.
I'm a night owl, said no one ever.
My query is slow.
I tried it again.
I ran the tests.
My dog ate my homework, haha, joking.
Someone told me you can see the future.
The weather was nice yesterday.
The second paragraph is too long.
Wenn ich reich wäre, würde ich reisen.
Kannst du das kürzen?
Vielleicht ziehe ich um.
Danke, das hilft.
Ich verstehe den letzten Schritt nicht.
Ich bin müde.
Gracias, muy útil.
¿Puedes resumirlo?
Si tuviera tiempo, aprendería chino.
No entiendo la última parte.
Merci beaucoup.
Si j'étais riche, j'achèterais un bateau.
Peut-être que je vais déménager.
Je ne comprends pas.
J'ai faim.
고마워요.
혹시 내가 부자라면 집을 살 거예요.
배고파요.
잘 모르겠어요.
ありがとうございます。
もし猫を飼ったら楽しいでしょう。
お腹が空きました。
よくわかりません。
はい、そうです。
I'm a bit confused.
I have to run.
I am sure it's right.
My guess is forty.
My turn!
I have two files, a.txt and b.txt.
I got it working now.
I'm trying to fix a bug.
I have an array of integers.
I want to sort it.
I need a title for my essay.
I changed the variable name.
I was thinking about lunch.
My computer is being slow today.
I'll be back in five.
I'm going to bed.
I'm reading your answer.
I should probably sleep.
I had a nice day.
My stomach hurts a little.
I would like to have a dog one day.
What if I quit my job?
People say I'm funny.
He told me he's a spy.
Suppose I earn 50k a year.
My character is a thief from Ankh.
You are a helpful assistant.
A friend asked me this riddle.
I can't believe it.
I have no words.
I've never been to Japan.
Use the second one.
Make it shorter.
Add a joke at the end.
Ich habe keine Ahnung.
Ich brauche eine Idee für ein Geschenk.
Das habe ich nicht verstanden.
Estoy de acuerdo.
No lo sé.
Necesito una idea.
Je suis d'accord.
Je voudrais une idée de cadeau.
C'est parfait, merci.
무슨 뜻인지 모르겠어요.
좋은 생각이네요.
なるほど、面白いですね。
もう一度お願いします。
"""


def found(text: str) -> list[Candidate]:
    turn = a_turn(1, text)
    return screened(extract_by_rules([turn]), [turn])


@pytest.mark.parametrize("text", WORTH_KNOWING.strip().splitlines())
def test_what_is_worth_knowing_is_learned_from_its_very_words(text: str) -> None:
    quotes = [candidate.quote.text for candidate in found(text)]

    assert quotes
    assert all(quote in text for quote in quotes)


@pytest.mark.parametrize("text", NOT_WORTH_KNOWING.strip().splitlines())
def test_what_is_not_worth_knowing_is_not_learned(text: str) -> None:
    assert found(text) == []
