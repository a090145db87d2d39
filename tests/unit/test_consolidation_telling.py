"""What an episode tells and how a procedure is carried out."""

from chatmem.consolidation.telling import happening_of, practice_of


def test_an_episode_tells_what_was_done_how_it_ended_and_why() -> None:
    told = happening_of("Last week I replaced the pump, and it works now because the old one had a crack.")

    assert told.actions == "Last week I replaced the pump"
    assert told.outcome.startswith("and it works now")
    assert told.why == "the old one had a crack"


def test_what_was_not_told_is_left_empty() -> None:
    told = happening_of("The wedding is on Saturday.")

    assert (told.situation, told.actions, told.outcome, told.why) == ("The wedding is on Saturday.", "", "", "")


def test_glad_words_and_sad_ones_give_the_sentiment() -> None:
    assert happening_of("I passed, so happy!").sentiment == 1.0
    assert happening_of("Ugh, I failed again.").sentiment == -1.0
    assert happening_of("I went to the station.").sentiment == 0.0


def test_an_instruction_knows_when_it_applies() -> None:
    assert practice_of("When I paste code, only point out the bugs.").trigger == "When I paste code"
    assert practice_of("Answer in French.").trigger == ""


def test_an_instruction_in_several_steps_keeps_them_in_order() -> None:
    practice = practice_of("Every Monday I paste my notes: sort them by project, then write one line for each.")

    assert practice.steps[-2:] == ("sort them by project", "write one line for each")
