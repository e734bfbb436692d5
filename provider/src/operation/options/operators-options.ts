import { isLoopbackHost, isSecureUrl } from '#domain/safe-url.ts';
import type { OptionValues } from './option-values.ts';
import { UsageError } from '#provider/base/usage-error.ts';

export interface OperatorsOptions {
  /** Null to listen on both loopback addresses. */
  readonly host: string | null;
  readonly port: number;
  /** Null means http on localhost with the port. */
  readonly origin: string | null;
}

/** The URL of the operators' page; null without a port. Passkeys need a secure origin: https, or http on this machine. */
export function operatorsFrom({
  operatorsPort: port,
  operatorsHost: host,
  operatorsOrigin: origin,
}: OptionValues<'operatorsPort' | 'operatorsHost' | 'operatorsOrigin'>): OperatorsOptions | null {
  if (port === undefined) {
    const other = host ?? origin;
    if (other?.isFlag === true) throw new UsageError(`${other.from} needs --operators-port.`);
    return null;
  }
  if (!/^\d{1,5}$/u.test(port.text) || Number(port.text) > 65_535) {
    throw new UsageError(`${port.from} must be a number from 0 to 65535, not ${port.text.slice(0, 100)}.`);
  }
  const at = host === undefined || host.text === 'localhost' ? null : host.text;
  if (at !== null && origin === undefined && !isLoopbackHost(at.includes(':') ? `[${at}]` : at)) {
    throw new UsageError(
      `${host?.from ?? '--operators-host'} needs --operators-origin: the https origin of the page in browsers.`,
    );
  }
  return {
    host: at,
    port: Number(port.text),
    origin: origin === undefined ? null : originFrom(origin.text, origin.from),
  };
}

function originFrom(text: string, from: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isSecureUrl(url) || text.replace(/\/$/u, '') !== url.origin) {
    throw new UsageError(`${from} must be an origin such as https://ops.example.com, or http on localhost.`);
  }
  return url.origin;
}
