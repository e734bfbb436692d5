/** The differences between the fake server and a real one, with the reason for each. All other behaviour follows the same rules. */
export const SIMPLIFICATIONS = {
  'password strength': 'zxcvbn is 400 KiB: the score counts lengths and kinds of characters, and advises nothing.',
  'password hashes': 'Argon2 takes 50 ms by design: passwords are compared as they are.',
  'authenticator codes':
    'HMAC takes a thread in a browser: `totpCode` has a scheme of its own, and so do the QR codes.',
  'wallet signatures':
    'Keccak and the curves are 30 KiB: `signatureOf` has a scheme of its own, unless a test puts a real one.',
  'wallet addresses': 'EIP-55 takes Keccak: the capitals of an Ethereum address are not checked.',
  'passkey signatures':
    'Nothing is verified but the challenge and the origin: the authenticator in memory signs truly.',
  'phone metadata': 'The table of all countries is 80 KiB: every number in E.164 is good.',
  'social profiles': 'There is no social provider: an account has an address, and neither a name nor a picture.',
  'social tokens':
    'The tokens of a social provider, and the ID tokens for apps, name what they stand for; nothing is signed.',
  'public tokens': 'Every project is this one: a test may use any public token, and no origin is refused.',
  'rate limits': 'Tests ask as often as they like: only the tries of a passcode are counted.',
  messages: 'Nobody reads its mails: every template id is taken, and the language changes nothing.',
  bootstrap: 'It answers the very object that tests change, without what the transport puts beside it.',
} as const;

export type Simplification = keyof typeof SIMPLIFICATIONS;
