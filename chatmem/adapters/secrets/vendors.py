"""Tokens that say by their form whose they are, as far as detect-secrets does not know them.

Each pattern matches the token alone. The forms are those that vendors document for secret scanners.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from chatmem.adapters.secrets.scanned import Scanned
from chatmem.adapters.secrets.shape import is_placeholder
from chatmem.domain.policy import Secret


class _Form(NamedTuple):
    """One kind of token.

    `parts` are strings one of which stands in every such token; left out where the pattern begins with it.
    """

    kind: str
    pattern: str
    parts: str = ""


def _parts(form: _Form) -> list[str]:
    beginning = _BEGINNING.match(form.pattern)
    return form.parts.split() or ([beginning[0].replace("\\", "")] if beginning else [""])


_START, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"
_BEGINNING = re.compile(r"(?:[\w-]|\\\.)+(?![?{*])")

_MAKERS = "gsk fw csk pcsk jina esecret pplx xai nvapi tvly e2b fc r8 re rnd pnu pul sgp napi nfp vcp vca phx phc"
"""What the keys of many makers of models and tools begin with, before a line or an underscore."""

_PREFIXED = (
    _Form(
        "AWS key", r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}", "AKIA ASIA ABIA ACCA AGPA AIDA AROA ANPA"
    ),
    _Form("Google API key", r"AIza[\w-]{33,39}"),
    _Form("Google OAuth secret", r"GOCSPX-[\w-]{24,32}"),
    _Form("Google OAuth token", r"ya29\.[\w-]{20,}"),
    _Form("Azure client secret", r"[\w~.-]{3}\dQ~[\w~.-]{30,36}", "Q~"),
    _Form(
        "GitHub token", r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{40,255}", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"
    ),
    _Form(
        "GitLab token",
        r"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|soat|agent|oas)-[\w.-]{18,}",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glsoat- glagent- gloas-",
    ),
    _Form("Atlassian token", r"AT(?:BB|ATT3x|CTT3x|OA)[\w=-]{24,}", "ATBB ATATT3x ATCTT3x ATOA"),
    _Form("Slack token", r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}|xapp-\d-[\w-]{20,}", "xox xapp-"),
    _Form("Discord token", r"[MNO][\w-]{23,28}\.[\w-]{6,7}\.[\w-]{25,40}"),
    _Form("API key", r"sk-(?:proj-|svcacct-|admin-|ant-[a-z]+\d\d-|or-v1-|lf-|kimi-)?[\w-]{20,}"),
    *(
        _Form("API key", rf"{name}[_-](?=[\w-]*\d)(?![a-z]+_)[\w-]{{20,}}", f"{name}_ {name}-")
        for name in _MAKERS.split()
    ),
    _Form("API key", r"(?:hf|api_org)_[A-Za-z0-9]{30,}", "hf_ api_org_"),
    _Form("API key", r"sk_[0-9a-f]{32,64}|sk_[A-Za-z0-9]{40,}", "sk_"),
    _Form(
        "Stripe key",
        r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,}",
        "_live_ _test_ _prod_ whsec_",
    ),
    _Form("SendGrid key", r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    _Form("Mailgun key", r"key-[0-9a-z]{32}"),
    _Form("Mailchimp key", r"[0-9a-f]{32}-us\d{1,2}", "-us"),
    _Form("Twilio key", r"SK[0-9a-f]{32}", "SK"),
    _Form("PyPI token", r"pypi-A[\w-]{40,}"),
    _Form("RubyGems key", r"rubygems_[0-9a-f]{40,}"),
    _Form("npm token", r"npm_[A-Za-z0-9]{30,}"),
    _Form("crates.io token", r"cio[A-Za-z0-9]{32}"),
    _Form("Docker token", r"dckr_(?:pat|oat)_[\w-]{20,}", "dckr_"),
    _Form("DigitalOcean token", r"do[opr]_v1_[0-9a-f]{40,}", "doo_v1_ dop_v1_ dor_v1_"),
    _Form("Shopify token", r"shp(?:at|ca|pa|ss|ua)_[0-9a-fA-F]{32}", "shpat_ shpca_ shppa_ shpss_ shpua_"),
    _Form("Linear key", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}", "lin_"),
    _Form("Notion token", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}", "ntn_ secret_"),
    _Form("Figma token", r"fig[dou]r?_[\w-]{36,}", "figd_ figo_ figu_ figdr_ figor_ figur_"),
    _Form("Airtable token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _Form("Vault token", r"hv[sbr]\.[\w-]{20,}", "hvs. hvb. hvr."),
    _Form("Heroku key", r"HRKU-[\w-]{30,}"),
    _Form("New Relic key", r"NR(?:AK|II|JS|RA|AL)-[A-Za-z0-9-]{20,}", "NRAK- NRII- NRJS- NRRA- NRAL-"),
    _Form("Sentry token", r"sntry[su]_[\w+/=]{40,}", "sntrys_ sntryu_"),
    _Form("Grafana token", r"gl(?:sa|c)_[\w+/=]{28,}", "glsa_ glc_"),
    _Form("Postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _Form("Terraform token", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}", ".atlasv1."),
    _Form("Tailscale key", r"tskey-[a-z]+-[\w-]{15,}"),
    _Form("Supabase token", r"sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}", "sbp_ sb_secret_"),
    _Form("PlanetScale credential", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{30,}", "pscale_"),
    _Form("Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}", "dp."),
    _Form("Square token", r"EAAA[\w-]{50,}|sq0(?:csp|atp|idp)-[\w-]{20,}", "EAAA sq0"),
    _Form("Facebook token", r"EAA[A-Za-z0-9]{60,}"),
    _Form("Mapbox token", r"sk\.eyJ[\w-]{20,}\.?[\w-]*", "sk.eyJ"),
    _Form("age key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    _Form("web token", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", "eyJ"),
    _Form("Databricks token", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _Form("LangSmith key", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}", "lsv2_"),
    _Form("Artifactory key", r"AKC[A-Za-z0-9]{20,}|cmVmdGtu[A-Za-z0-9]{40,}", "AKC cmVmdGtu"),
    _Form("Buildkite token", r"bk[a-z]{1,2}_[0-9a-f]{40}", "bk"),
    _Form("CircleCI token", r"CCIP(?:AT|RJ)_\w{20,}", "CCIP"),
    _Form("Clojars token", r"CLOJARS_[0-9a-z]{50,}"),
    _Form("Contentful token", r"CFPAT-[\w-]{40,}"),
    _Form("Cloudflare key", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:ut|at|k)_[\w-]{30,}", "v1.0- cfut_ cfat_ cfk_"),
    _Form("Dynatrace token", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}", "dt0"),
    _Form("EasyPost key", r"EZ[AT]K[0-9a-zA-Z]{54}", "EZAK EZTK"),
    _Form("Flutterwave key", r"FLWSECK(?:_TEST)?-[\w-]{12,}", "FLWSECK"),
    _Form("Frame.io token", r"fio-u-[\w=-]{60,}"),
    _Form("HubSpot token", r"pat-(?:na|eu)\d-[0-9a-f-]{36}", "pat-na pat-eu"),
    _Form("Infracost key", r"ico-[A-Za-z0-9]{32}"),
    _Form("LaunchDarkly key", r"(?:api|sdk)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "api- sdk-"),
    _Form("Octopus key", r"API-[A-Z0-9]{26,32}"),
    _Form("OpenShift token", r"sha256~[\w-]{40,}"),
    _Form("PayPal token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", "access_token$"),
    _Form(
        "Plaid token",
        r"access-(?:sandbox|development|production)-[0-9a-f-]{36}",
        "access-sandbox- access-development- access-production-",
    ),
    _Form("Brevo key", r"x(?:keysib|smtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}", "xkeysib- xsmtpsib-"),
    _Form("Shippo key", r"shippo_(?:live|test)_[0-9a-f]{40}", "shippo_"),
    _Form("Sonar token", r"sq[upa]_[0-9a-f]{40}", "squ_ sqp_ sqa_"),
    _Form("Typeform token", r"tfp_[\w.=-]{40,}"),
    _Form("Fly token", r"fm[12][ar]?_[\w+/=]{40,}|fo1_[\w-]{40,}", "fm1_ fm1a_ fm1r_ fm2_ fm2a_ fm2r_ fo1_"),
    _Form("Razorpay key", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}", "rzp_"),
    _Form("Readme key", r"rdme_[a-z0-9]{70}"),
    _Form("Asana token", r"[01]/\d{16,}(?::[0-9a-f]{32}|/\d{16,}:[0-9a-f]{32})", "0/ 1/"),
    _Form("Dropbox token", r"sl\.[\w-]{100,}"),
    _Form(
        "1Password token",
        r"ops_eyJ[\w-]{100,}=*|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
        "ops_eyJ A3-",
    ),
    _Form(
        "Yandex key",
        r"AQVN[\w-]{35,38}|y[0-3]_[\w-]{50,}|t1\.[A-Z0-9a-z_-]+=*\.[A-Z0-9a-z_-]{80,}=*",
        "AQVN y0_ y1_ y2_ y3_ t1.",
    ),
    _Form("Alibaba key", r"LTAI[A-Za-z0-9]{12,26}"),
    _Form("Tencent key", r"AKID[A-Za-z0-9]{32}"),
    _Form("WIF private key", r"[5KL][1-9A-HJ-NP-Za-km-z]{50,51}"),
    _Form("extended private key", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,}", "prv"),
    _Form("Nostr private key", r"nsec1[02-9ac-hj-np-z]{58}"),
)

_WHOLE = (
    _Form("Telegram token", r"(?<!\d)\d{8,10}:A[\w-]{32,36}(?![A-Za-z0-9])", ":A"),
    _Form(
        "Slack web hook", r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/T\w{7,}/\w{7,}/\w{15,}"
    ),
    _Form(
        "Discord web hook", r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{16,20}/[\w-]{40,}", "api/webhooks/"
    ),
    _Form("Teams web hook", r"https://[\w.-]+\.webhook\.office\.com/webhookb2/[\w@/-]{60,}", "webhook.office.com"),
    _Form(
        "web hook",
        r"https://(?:hooks\.zapier\.com/hooks/catch|maker\.ifttt\.com/trigger/\w+/with/key|chat\.googleapis\.com/v1/spaces/\w+/messages\?key=)[\w/&=%-]{8,}",
        "hooks.zapier.com maker.ifttt.com chat.googleapis.com",
    ),
    _Form(
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s*(?:\\n)?[A-Za-z0-9+/=:]{16,}[\s\S]*?"
        r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _Form("private key", r"PuTTY-User-Key-File-\d[\s\S]{20,}?(?:Private-MAC: \w+|\Z)"),
)

_TOKENS = [(form.kind, re.compile(f"{_START}(?:{form.pattern}){_END}"), _parts(form)) for form in _PREFIXED]
_BLOCKS = [(form.kind, re.compile(form.pattern), _parts(form)) for form in _WHOLE]


def find(scanned: Scanned) -> Iterator[Secret]:
    """Tokens of known form."""
    text = scanned.text
    for kind, pattern, parts in _BLOCKS:
        if any(part in text for part in parts):
            yield from _secrets(kind, pattern.finditer(text))
    if not scanned.tokens:
        return
    for kind, pattern, parts in _TOKENS:
        if any(part in text for part in parts):
            for start, end in scanned.tokens:
                yield from _secrets(kind, pattern.finditer(text, start, end))


def _secrets(kind: str, matches: Iterable[re.Match[str]]) -> Iterator[Secret]:
    for match in matches:
        if not is_placeholder(match[0]):
            yield Secret(start=match.start(), end=match.end(), kind=kind)
