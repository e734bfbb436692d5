import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import type { Project } from '../project/project.ts';
import { deliveryWith } from './delivery.ts';
import { bracketed, UsageError, type CliOptions } from './options.ts';
import { readProject } from './project-file.ts';

/** True when only programs on this machine can connect. */
export function isLocal({ host }: Pick<CliOptions, 'host'>): boolean {
  return host === null || isLoopbackHost(bracketed(host));
}

/** The project to serve. Throws a UsageError when development features, or a check without effect, would be public. */
export function projectToServe({ projectFile, authorizationUrl, dev, delivery }: CliOptions): Project {
  if (!dev && projectFile === null) {
    throw new UsageError(
      'Give --project FILE with your origins and redirect URLs, or --dev for the demo project on your own machine.',
    );
  }
  const project = readProject(projectFile, authorizationUrl, dev);
  if (dev) checkDev(project);
  else checkVerifiers(project);
  return { ...project, delivery: deliveryWith(project.delivery, delivery) };
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

/** This server calls no captcha or telemetry service, so it refuses a project that relies on one. */
function checkVerifiers({ captcha_settings, dfp_protected_auth_enabled, dfp_protected_auth_mode }: Project): void {
  const wanted = captcha_settings.enabled
    ? 'captcha_settings.enabled'
    : dfp_protected_auth_enabled && dfp_protected_auth_mode === 'DECISIONING'
      ? 'dfp_protected_auth_enabled with DECISIONING'
      : null;
  if (wanted === null) return;
  throw new UsageError(
    `${wanted} cannot be served: this server asks no captcha or telemetry service, and takes test tokens with --dev only.`,
  );
}
