"""Judges attestations with Debian's python3-fido2: a line of JSON for each line of JSON."""

import json
import sys
from hashlib import sha256

from fido2.attestation import Attestation, UnsupportedType
from fido2.ctap2 import AttestationObject
from fido2.utils import websafe_decode


def verdict(case):
    try:
        made = AttestationObject(websafe_decode(case["attestationObject"]))
        client_data_hash = sha256(websafe_decode(case["clientDataJSON"])).digest()
        Attestation.for_type(made.fmt)().verify(made.att_statement, made.auth_data, client_data_hash)
        return "accepted"
    except UnsupportedType:
        return "unsupported"
    except Exception as error:  # what is damaged ends in errors of all kinds
        return "refused: " + type(error).__name__


for line in sys.stdin:
    print(json.dumps(verdict(json.loads(line))))
