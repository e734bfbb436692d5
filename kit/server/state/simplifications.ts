/** The differences between the fake server and a real one, with the reason for each. All other behaviour follows the same rules. */
export const SIMPLIFICATIONS = {
  'password strength': 'zxcvbn is 400 KiB: the score counts lengths and kinds of characters, and advises nothing.',
  'password hashes': 'Argon2 takes 50 ms by design: passwords are compared without a hash.',
  'authenticator codes':
    'HMAC is asynchronous in a browser: `totpCode` has a different scheme, and so do the QR codes.',
  'wallet signatures':
    'Keccak and the curves are 30 KiB: `signatureOf` has a different scheme, unless a test sets a real one.',
  'wallet addresses': 'EIP-55 needs Keccak: the capitals of an Ethereum address are not checked.',
  'passkey signatures':
    'Only the challenge and the origin are verified: the authenticator in memory makes valid signatures.',
  'passkey models':
    'Statements of attestation need certificates and a metadata file: none is requested, no model is proven, and every model is accepted.',
  'bound sessions':
    'Its transport sends no proofs of a key (`portico/bound`): no session is bound, so `attest` ends every session that is named to it.',
  'phone metadata': 'The table of all countries is 80 KiB: every number in E.164 is accepted.',
  'asking clients':
    'A refusal here would have spent the proof: a login that lacks its profile begins a step for every client, and `profile_required` says only what is missing in it.',
  'new methods': 'Accounts of tests are new: a login method counts as new in the session that added it, not for a day.',
  'social profiles': 'There is no social provider: an account has an address, and neither a name nor a picture.',
  'social tokens':
    'The tokens of a social provider, and the ID tokens for apps, are readable names; nothing is signed.',
  'public tokens': 'Every project is this one: a test may use any public token, and no origin is refused.',
  captcha: 'No service is called: a captcha token is not required, and every one is accepted.',
  'rate limits': 'Only the tries of a passcode are counted, so that tests can send any number of requests.',
  'audit log': 'No operator reads it: there is none, and an export of a user has no events.',
  messages: 'Its emails have no readers: every template id is accepted, and the language has no effect.',
  bootstrap: 'It returns the object that tests change, without the fields that the transport adds.',
} as const;
