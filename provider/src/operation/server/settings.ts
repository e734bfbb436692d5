import { captchaOf } from '#provider/api/captcha/captcha.ts';
import type { AuthenticatorMetadata } from '#provider/accounts/authenticators/metadata.ts';
import { startNotices } from '#provider/accounts/notices/worker.ts';
import type { Clock } from '#provider/base/platform.ts';
import type { Warn } from '#provider/base/warnings.ts';
import { LogoutCarrier } from '#provider/messages/logouts/logout-carrier.ts';
import type { Carriers } from '#provider/messages/outbox/carrier.ts';
import { carriedBy, startDelivery } from '#provider/messages/outbox/delivery.ts';
import type { Templates } from '#provider/messages/texts/templates.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { startAuditStream } from '../audit-stream/audit-stream.ts';
import { withSecrets } from '#provider/project/readers/secret-text.ts';
import { carriersFor } from './carriers.ts';
import { templatesOf } from '../options/delivery.ts';
import { metadataOf } from './metadata-file.ts';
import type { CliOptions } from '../options/options.ts';
import { projectToServe } from './serving.ts';

/** The project file, its templates and metadata, as the server reads them at its start and again while it runs. */
export interface Settings {
  readonly project: Project;
  /** The secrets in the project, and those that were read for it. */
  readonly secrets: ReadonlySet<string>;
  readonly templates: Templates | undefined;
  readonly metadata: AuthenticatorMetadata | undefined;
}

/**
 * Throws a UsageError that names the wrong field or file.
 *
 * @param now the time at which the metadata must be up to date
 */
export function settingsOf(options: CliOptions, now = Date.now()): Settings {
  const { value: project, secrets } = withSecrets(() => projectToServe(options));
  const { projectFile } = options;
  const [templates, metadata] = [templatesOf(project, projectFile), metadataOf(project, projectFile, now)];
  return { project, secrets, templates, metadata };
}

/**
 * The services and carriers that depend on the settings.
 *
 * @param delivered the project for messages, if it differs
 */
export function servicesOf(
  { project, secrets, templates, metadata }: Settings,
  { clock, realClock, warn, delivered = project }: Clocks & { readonly warn: Warn; readonly delivered?: Project },
) {
  const carriers = carriersFor(delivered, templates, { clock, realClock });
  const services = {
    project,
    projectSecrets: secrets,
    limits: { ...DEFAULT_LIMITS, ...project.limits },
    carried: carriedBy(carriers),
    captcha: captchaOf(project, warn),
    ...(templates === undefined ? {} : { templates }),
    ...(metadata === undefined ? {} : { authenticatorMetadata: metadata }),
  };
  return { carriers, services };
}

interface Clocks {
  readonly clock: Clock;
  /** The real time, with which others check what this server signs. */
  readonly realClock: Clock;
}

type WorkServices = Parameters<typeof startDelivery>[0] &
  Parameters<typeof startAuditStream>[0] &
  Parameters<typeof startNotices>[0] &
  ConstructorParameters<typeof LogoutCarrier>[0];

/** Starts the background work that depends on the settings: deliveries, notices, and copies of the audit log. */
export function startWork(services: WorkServices, carriers: Carriers, realClock: Clock) {
  const logout = new LogoutCarrier(services, () => realClock.now());
  const delivering = startDelivery(services, { ...carriers, logout });
  const telling = startNotices(services);
  const streaming = startAuditStream(services, realClock);
  return {
    async stop(): Promise<void> {
      await Promise.all([telling.stop(), delivering?.stop(), streaming?.stop()]);
    },
  };
}
