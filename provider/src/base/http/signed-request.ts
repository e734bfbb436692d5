import { createHmac } from 'node:crypto';

/** The key of a secret such as `whsec_…`; null unless it is 24 to 64 bytes in base64, as Standard Webhooks requires. */
export function webhookKeyFrom(secret: string): Buffer | null {
  const [, text] = /^whsec_([A-Za-z\d+/]+={0,2})$/u.exec(secret) ?? [];
  if (text === undefined) return null;
  const key = Buffer.from(text, 'base64');
  return key.toString('base64').replace(/={1,2}$/u, '') === text.replace(/={1,2}$/u, '') &&
    key.length >= 24 &&
    key.length <= 64
    ? key
    : null;
}

interface SignedContent {
  /** The same in every attempt, so that the receiver can drop repetitions. */
  readonly id: string;
  /** In milliseconds. */
  readonly at: number;
  readonly body: string;
}

/**
 * The headers with which the receiver can verify a request (Standard Webhooks 1.0). While keys are replaced, there are several signatures.
 */
export function signedHeaders(keys: readonly Uint8Array[], { id, at, body }: SignedContent): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
