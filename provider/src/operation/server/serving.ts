import { isLoopbackHost } from '#domain/safe-url.ts';
import { NO_PROXIES, trustedProxies, type TrustedProxies } from '#provider/base/http/arrival.ts';
import { checkGateways } from '#provider/project/settings/delivery.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { FieldError } from '#provider/project/readers/readers.ts';
import { deliveryWith } from '../options/delivery.ts';
import { bothNames } from '../options/option-table.ts';
import { bracketed, UsageError, type CliOptions } from '../options/options.ts';
import { readProject } from '../options/project-file.ts';

/** True when only programs on this machine can connect. */
export function isLocal({ host }: Pick<CliOptions, 'host'>): boolean {
  return host === null || isLoopbackHost(bracketed(host));
}

/** The addresses that mean all addresses of this machine, including loopback. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The URL at which programs of this machine reach the server; null if it listens at another address only. */
export function urlHere({ host }: Pick<CliOptions, 'host'>, port: number): string | null {
  if (!isLocal({ host }) && !EVERY_ADDRESS.has(host ?? '')) return null;
  return `http://${isLocal({ host }) && host !== null ? bracketed(host) : '127.0.0.1'}:${port}`;
}

/** The proxies that `--trust-proxy` names. Throws a UsageError for anything else. */
export function proxiesOf({ trustProxy, dev }: Pick<CliOptions, 'trustProxy' | 'dev'>): TrustedProxies {
  if (trustProxy === null) return NO_PROXIES;
  if (dev)
    throw new UsageError(`--dev serves this machine only: it cannot be combined with ${bothNames('trustProxy')}.`);
  try {
    return trustedProxies(trustProxy);
  } catch (error) {
    throw new UsageError(`${bothNames('trustProxy')} is wrong: ${error instanceof Error ? error.message : ''}.`);
  }
}

/** The project to serve. Throws a UsageError if development features, or a check without effect, would be public. */
export function projectToServe({ projectFile, authorizationUrl, dev, delivery }: CliOptions): Project {
  if (!dev && projectFile === null) {
    throw new UsageError(
      'Give --project FILE (or PORTICO_PROJECT) with your origins and redirect URLs, or --dev for the demo project on your own machine.',
    );
  }
  const project = readProject(projectFile, authorizationUrl, dev);
  if (dev) checkDev(project);
  else checkVerifiers(project);
  const mfa = dev ? project.mfa : withReachableRecovery(project);
  const served = { ...project, mfa, delivery: deliveryWith(project.delivery, delivery) };
  try {
    checkGateways(served);
  } catch (error) {
    if (error instanceof FieldError) throw new UsageError(`${error.path} must be ${error.must}.`);
    throw error;
  }
  return served;
}

/** Features of `--dev` must not be reachable from other machines. */
function checkDev({ issuer, allow_loopback }: Project): void {
  if (issuer !== null && !isLoopbackIssuer(issuer)) {
    throw new UsageError('--dev is for your own machine: the project’s issuer must be null, or http on loopback.');
  }
  if (!allow_loopback) {
    throw new UsageError('--dev is for your own machine: it cannot serve a project with allow_loopback: false.');
  }
}

function isLoopbackIssuer(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && isLoopbackHost(hostname);
}

/**
 * The settings of the second factor, without recoveries if messages cannot contain a link. Without an issuer the server does not know its
 * own URL, and does not take it from requests, so that nobody can choose where links lead.
 */
function withReachableRecovery({ issuer, mfa }: Project): Project['mfa'] {
  return mfa === null || issuer !== null ? mfa : { ...mfa, recovery_hours: null };
}

/** Refuses a project that relies on a captcha or telemetry service that this server does not call. */
function checkVerifiers({ captcha_settings, dfp_protected_auth_enabled, dfp_protected_auth_mode }: Project): void {
  if (captcha_settings.enabled && captcha_settings.provider === null) {
    throw new UsageError(
      'captcha_settings.enabled needs captcha_settings.provider: without a service, test tokens are accepted with --dev only.',
    );
  }
  if (dfp_protected_auth_enabled && dfp_protected_auth_mode === 'DECISIONING') {
    throw new UsageError(
      'dfp_protected_auth_enabled with DECISIONING is not supported: this server calls no telemetry service, and accepts test ids with --dev only.',
    );
  }
}
