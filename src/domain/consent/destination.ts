import { isLoopbackHost, isPrivateUseUri, isSecureUrl } from '../safe-url.ts';
import { tidied } from './outside-text.ts';

/** The browser's next location. */
export interface Destination {
  /** The host, with port; null for an app on this device. */
  readonly host: string | null;
  /** True for an app on this device: a loopback port or a private scheme, which any program can claim. */
  readonly onDevice: boolean;
  /** The private scheme with its colon; absent for a port. */
  readonly scheme?: string;
}

/** The URL, if its host is meaningful; null for a private scheme, in which an app can write any host. */
export function addressOf(uri: string): URL | null {
  try {
    const url = new URL(uri);
    return isSecureUrl(url) ? url : null;
  } catch {
    return null;
  }
}

export function destinationOf(redirectUri: string): Destination {
  if (isPrivateUseUri(redirectUri)) {
    const scheme = tidied(redirectUri.slice(0, redirectUri.indexOf(':') + 1).toLowerCase());
    return { host: null, onDevice: true, scheme };
  }
  const { host = null, hostname = '' } = addressOf(redirectUri) ?? {};
  const onDevice = isLoopbackHost(hostname);
  return { host: onDevice ? null : host, onDevice };
}
