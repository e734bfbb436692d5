/** The pages of this machine, as sources of a Content Security Policy, which has no notation for IPv6 addresses. */
export const LOOPBACK_SITES: readonly string[] = ['localhost', '*.localhost', '127.0.0.1'].flatMap((host) => [
  `http://${host}:*`,
  `https://${host}:*`,
]);
