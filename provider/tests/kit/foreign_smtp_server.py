"""An SMTP server of another make (aiosmtpd), which prints each mail as Python's email package reads it.

It requires STARTTLS and a login. Arguments: the file of a certificate, and the file of its key.
"""

import asyncio
import email
import email.policy
import json
import logging
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


# It logs warnings about its own sources.
logging.getLogger("mail.log").setLevel(logging.ERROR)


def say(**fields):
    print(json.dumps(fields), flush=True)


class Handler:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        say(
            from_=envelope.mail_from,
            to=envelope.rcpt_tos,
            tls=session.ssl is not None,
            user=session.auth_data,
            headers={name.lower(): str(value) for name, value in mail.items()},
            sender=mail["from"].addresses[0].display_name,
            text=mail.get_body(("plain",)).get_content(),
            html=mail.get_body(("html",)).get_content(),
            defects=[str(defect) for part in mail.walk() for defect in part.defects],
        )
        return "250 2.0.0 accepted"


def authenticate(server, session, envelope, mechanism, data):
    login, password = data.login.decode(), data.password.decode()
    return AuthResult(success=password == "p@ss:word", auth_data=login)


async def main():
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(sys.argv[1], sys.argv[2])
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(
            Handler(),
            enable_SMTPUTF8=True,
            tls_context=tls,
            require_starttls=True,
            auth_required=True,
            authenticator=authenticate,
        ),
        "127.0.0.1",
        0,
    )
    say(port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
