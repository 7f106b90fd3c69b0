"""Shows a message, read from standard input, as Python's email package understands it.

ParserAgreementTest compares the lines with those of other parsers. Defects that the package finds
are shown, too.
"""

import email
import email.policy
import sys
from email.header import decode_header, make_header
from email.utils import getaddresses

ADDRESSES = {"from", "to", "cc", "reply-to"}


def escaped(text):
    return text.replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")


def show(depth, text):
    print("  " * depth + text)


def addresses(source):
    """Reads names by the older functions: before Python 3.13 the newer ones keep the space between
    two encoded words, which RFC 2047 (6.2) wants ignored."""
    for name, address in getaddresses(["".join(source.splitlines())]):
        yield "%s <%s>" % (make_header(decode_header(name)), address)


def header(depth, name, value, source):
    for defect in value.defects:
        show(depth, "defect of %s: %s" % (name, defect))
    if name.lower() in ADDRESSES:
        text = "; ".join(addresses(source))
    elif name.lower() == "date":
        text = str(int(value.datetime.timestamp()))
    else:
        # A line may be folded right after the colon; the package keeps that space.
        text = str(value).strip()
    show(depth, "%s: %s" % (name, escaped(text)))


def message(depth, parsed):
    for (name, value), (_, source) in zip(parsed.items(), parsed.raw_items()):
        if not name.lower().startswith("content-"):
            header(depth, name, value, source)
    entity(depth, parsed)


def entity(depth, part):
    for defect in part.defects:
        show(depth, "defect: %s" % defect)
    values = (
        part.get_content_type(),
        str(part.get("Content-Transfer-Encoding", "7bit")),
        part.get_content_disposition() or "-",
        str(part.get("Content-ID", "-")),
        part.get_filename() or "-",
    )
    show(depth, escaped(" ".join(values)))
    if part.get_content_type() in ("message/rfc822", "message/global"):
        message(depth + 1, part.get_payload(0))
    elif part.get_content_type() == "message/delivery-status":
        blocks = ("".join("%s: %s\r\n" % field for field in b.items()) for b in part.get_payload())
        show(depth + 1, escaped("\r\n".join(blocks)))
    elif part.is_multipart():
        for child in part.get_payload():
            entity(depth + 1, child)
    else:
        content = part.get_payload(decode=True)
        text = part.get_content_maintype() == "text"
        show(depth + 1, escaped(content.decode("utf-8")) if text else content.hex())


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
message(0, email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default))
