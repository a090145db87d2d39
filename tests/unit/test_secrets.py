"""Credentials are put together at run time, so that none stands in a file of this repository."""

import gzip
import json
import random
import string
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest
from mnemonic import Mnemonic

from chatmem.adapters.secrets.detector import RuleSecretDetector
from chatmem.domain.policy import Secret, merged, redacted

SHARED = Path(__file__).parents[3] / "shared" / "bench" / "memory" / "secrets.jsonl.gz"

SEED_PHRASE = " ".join(random.Random(12).sample(Mnemonic("english").wordlist, 12))


def random_text(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(random.Random(length).choices(alphabet, k=length))


def luhn(digits: str) -> str:
    """The digits with the check digit that makes them a card's."""
    for check in string.digits:
        total = 0
        for place, digit in enumerate(reversed(digits + check)):
            value = int(digit) * (2 if place % 2 else 1)
            total += value - 9 if value > 9 else value
        if total % 10 == 0:
            return digits + check
    raise AssertionError


def found(text: str) -> str:
    return redacted(text, RuleSecretDetector().find(text))


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("my token ", "gh" + "p_" + random_text(36), " does not work"),
        ("OPENAI_API_KEY=", "sk" + "-proj-" + random_text(48), ""),
        ("the key for the weather service: api_key = '", random_text(32), "'"),
        ("postgres://ana:", "tern" + "-on-the-pier7", "@db:5432/shop"),
        ("Authorization: Bearer ", random_text(40), ""),
        ("my wifi password is ", "Gannet" + "-Cliff-42", ", please remember it"),
        ("mein Passwort ist ", "Möwe" + "Nest1987", ""),
        ("la contraseña es ", "Playa" + "Azul_88", ""),
        ("비밀번호는 ", "bada" + "7788!", " 이야"),
        ("the alarm code is ", "58" + "31", ""),
        ("Your verification code is ", "60" + "2481", ". Tell nobody."),
        ("pay with ", luhn("453914880343646"), " please"),
        ("my words are: ", SEED_PHRASE, ""),
        ("mi contraseña del wifi es ", "Luna" + "Negra#5", ""),
        ("mon mot de passe, c'est ", "Bleu" + "Marine9", " !"),
        ("와이파이 비밀번호는 ", "gks" + "123!@", " 입니다"),
        ("Wi-Fiのパスワードは", "sakura" + "2019", "です"),
        ("login is bob / ", "Zorro" + "*1999", ""),
        ("log in with ana@example.org and ", "Tr0ub" + "4dor&3", ""),
        ("Zugangsdaten: admin:", "Blau" + "vogel77", ""),
        ("use ", "mango" + "-tree-55", " as the new password"),
        ("DB_PASS=", "K1ng" + "$ley", ""),
        ("https://bob:", "p@ss" + "w0rd77", "@git.example.org/repo.git"),
        ("smbclient //nas/x -U bob%", "Sommer" + "2024!", ""),
        ("my deploy key is ", "1dcef358-24a8-b706-" + "4d7b-ae532dca940d", ""),
        ("Cookie: theme=dark; _shop_sess=", random_text(44), "; lang=en"),
        ("https://example.org/f.pdf?expires=1&sig=", random_text(43), ""),
        ("", "48" + "2913", " is your Example code"),
        ("인증번호는 ", "48" + "2910", "입니다"),
        ("認証コードは", "48" + "2910", "です"),
        ("the code for the garage is ", "58" + "31", ""),
        ("le digicode est ", "58" + "A31", ""),
        ("my card ", luhn("6759" + "78443471584543"), " is blocked"),
        ("", "-----BEGIN " + "PRIVATE KEY-----\n" + random_text(64) + "\n-----END " + "PRIVATE KEY-----", ""),
    ],
)
def test_a_secret_is_found_where_it_stands_and_nothing_around_it(before: str, secret: str, after: str) -> None:
    redaction = found(before + secret + after)

    assert secret not in redaction
    assert redaction.startswith(before)
    assert redaction.endswith(after)


@pytest.mark.parametrize(
    "text",
    [
        "I changed my password on 2024-05-03",
        "how do I reset a password that I forgot?",
        "git revert b12b74265af23eae999d062200b118a35f22921a and push",
        "the order 386c02c3-ce00-48ec-832f-366185d17ec9 never came",
        "export API_KEY=your-key-here",
        "password = os.environ['DB_PASSWORD']",
        "call me at 555-0199 about the pin on the map",
        "ISBN 9783161484100 is on my list",
        "the meeting is on Tuesday 14:30",
        "max_tokens=4096 is too small",
        "sudo apt install python3-venv libssl1.1",
        "a seed phrase has twelve or twenty-four words",
        "the alarm rang at 0630, at gate 1234, in channel 2024",
        "the zip code is 10115 and the error code 500123",
        "the code is sent to +49 170 1234567",
        "use promo code SUMMER2024 to pay less",
        "primary key is 386c02c3-ce00-48ec-832f-366185d17ec9",
        "docker run -p 8080:80 -u 1000:1000 nginx",
        "http://localhost:8080/@scope/pkg and postgres://user:password@localhost/db",
        "password: ********, token = 'xxxxxxxxxxxxxxxxxxxx'",
        "das Passwort muss 12 Zeichen haben",
        "la contraseña debe tener 8 caracteres",
        "비밀번호는 8자 이상이어야 합니다",
        "パスワードは8文字以上です",
        "the safe is in room 1204, built in 1987",
        "pytest -k 'password and not slow' -n 4",
        "client = Client(password=os.environ.get('PW'), api_key=require_api_key(), token=response_json.get('t'))",
        "if match := _re_in_band_window_resize.match(token): usage.prompt_tokens = prompt_tokens_details",
        'api_key_env = "WORK_LLM_KEY"',
    ],
)
def test_what_is_no_secret_is_left_alone(text: str) -> None:
    assert found(text) == text


def test_a_redacted_text_says_what_was_taken_out() -> None:
    token = "gh" + "p_" + random_text(36)

    assert found(f"use {token} for the clone") == "use [GitHub token removed] for the clone"


def test_places_that_overlap_become_one_of_the_longer_kind() -> None:
    places = [
        Secret(start=4, end=20, kind="token"),
        Secret(start=0, end=8, kind="key"),
        Secret(start=30, end=31, kind="PIN"),
    ]

    assert merged(places) == [Secret(start=0, end=20, kind="token"), Secret(start=30, end=31, kind="PIN")]


LOG = "2026-03-04T12:31:07.113Z INFO [worker-3] request 386c02c3-ce00-48ec-832f-366185d17ec9 GET /api/v1/users/7041\n"
PROSE = "We went to Porto in May 2024, 14 of us, and I still owe Ana 35 euros; her password was never asked for. "
CODE = "def token_of(self, key: str) -> str:\n    return self._tokens[key] or os.environ['TOKEN']\n"


def seconds(text: str) -> float:
    """Of the processor, at the better of two tries."""
    detector, took = RuleSecretDetector(), []
    for _ in range(2):
        started = process_time()
        detector.find(text)
        took.append(process_time() - started)
    return min(took)


@pytest.mark.parametrize(
    "piece", [PROSE, CODE, LOG, "password ", "key_", "1 ", "a", " ", "pin is = : ", "4539148803436467 ", "api-key: x\n"]
)
def test_what_a_text_costs_grows_with_its_length_and_no_faster(piece: str) -> None:
    short, long = (seconds(piece * (length // len(piece))) for length in (20_000, 160_000))

    assert long < 24 * short + 0.1


@pytest.mark.parametrize("piece", [PROSE, CODE, LOG])
def test_a_megabyte_of_what_people_paste_takes_about_a_second(piece: str) -> None:
    assert seconds(piece * (250_000 // len(piece))) < 2.5


def test_a_line_loads_nothing_that_is_slow() -> None:
    code = (
        "from chatmem.adapters.secrets.detector import RuleSecretDetector as D; import sys; D().find('Hello!'); "
        "print([name for name in ('detect_secrets', 'mnemonic', 'stdnum', 'requests') if name in sys.modules])"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"


def test_a_secret_is_found_wherever_it_stands_in_a_long_text() -> None:
    token = "gh" + "p_" + random_text(36)
    text = LOG * 200 + f"use {token} for the clone\n" + CODE * 200 + token

    assert found(text) == text.replace(token, "[GitHub token removed]")


def test_on_the_development_half_nearly_all_are_caught_and_nearly_nothing_is_flagged() -> None:
    if not SHARED.exists():
        pytest.skip("the benchmark is not on this machine")
    with gzip.open(SHARED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    detector = RuleSecretDetector()
    caught = spans = flagged = benign = 0
    for row in rows:
        places = {place for secret in detector.find(row["text"]) for place in range(secret.start, secret.end)}
        for start, end, _ in row["spans"]:
            spans += 1
            caught += len(places & set(range(start, end))) >= 0.9 * (end - start)
        if not row["spans"]:
            benign += 1
            flagged += bool(places)

    assert caught / spans >= 0.99
    assert flagged / benign <= 0.01
