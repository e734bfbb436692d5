/** The remedies for TLS failures of the database connection, by the code or the beginning of the error. */
const REMEDIES: readonly (readonly [failure: RegExp, remedy: string])[] = [
  [
    /^The server does not support SSL/u,
    'The server has no TLS: write sslmode=disable at the end of the URL, if nobody else can read this network.',
  ],
  [
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT)/u,
    'Nobody known here vouches for its certificate: write sslmode=verify-full&sslrootcert=FILE at the end of the URL, with the ' +
      'certificate of its authority, or sslmode=no-verify to encrypt without a check.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/u,
    'The certificate is of another host: write the host that it names, or sslmode=no-verify to encrypt without a check.',
  ],
  [/no encryption$/u, 'The server wants TLS: write sslmode=verify-full at the end of the URL.'],
];

const FILES = /[?&](sslrootcert|sslcert|sslkey)=/u;

const textsOf = (error: Error): readonly string[] => {
  const { code } = error as NodeJS.ErrnoException;
  return [...(typeof code === 'string' ? [code] : []), error.message];
};

/** The necessary change of the database URL, if TLS failed; null for any other error. */
export function tlsRemedy(outerError: unknown, url: string): string | null {
  for (let error = outerError; error instanceof Error; error = error.cause) {
    const texts = textsOf(error);
    const found = REMEDIES.find(([failure]) => texts.some((text) => failure.test(text)));
    if (found !== undefined) return found[1];
    const field = (error as NodeJS.ErrnoException).syscall === 'open' ? FILES.exec(url)?.[1] : undefined;
    if (field !== undefined) return `${field} must name a file that this user can read.`;
  }
  return null;
}
