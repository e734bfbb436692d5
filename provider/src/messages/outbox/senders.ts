import type { Endpoint } from '#application/api/index.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import type { Credential } from '#provider/base/contract.ts';
import { peekForNetwork, takeForNetwork } from '#provider/base/security/limits.ts';
import type { RateLimitServices, Services } from '#provider/project/services.ts';

/** The app's own server, which has shown a project secret. It decides itself who may cause messages. */
export class ServerSender {
  readonly kind = 'server';

  constructor(protected readonly credential: Credential) {}
}

/** This provider, which notifies the owner of an account about changes. It sends nothing else. */
export const PROVIDER = { kind: 'provider' } as const;

/** Who may have a code or link sent. */
export type CodeSender = PageSender | ServerSender;

/** Who causes a message. Operators' commands send none: the notices about their changes come from the provider. */
export type Sender = CodeSender | typeof PROVIDER;

/** Tokens and ids that are accepted with `--dev`. */
const CAPTCHA = 'test-captcha-';
export const TELEMETRY_OF_DEV = 'test-dfp-';

interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

/** Checks the tokens of a captcha service. */
interface TokenCheck {
  isSolved(claim: Visitor & { readonly token: string }): Promise<boolean>;
}

/** The project and, if a service checks its captcha, that service. */
type RiskServices = RateLimitServices & Pick<Services, 'project'> & { readonly captcha?: TokenCheck };

/**
 * A calling page whose risk was checked. Only this class makes one, and messages that a page causes require it. So a route without a
 * captcha token in its body cannot send messages.
 */
export class PageSender {
  readonly kind = 'page';
  /** Protected, so that an object with the same fields is not accepted as a sender. */
  protected readonly isPassed = true;

  private constructor() {}

  /**
   * Applies the project's captcha and device telemetry to every call whose body has a `captcha_token` (specification, section 4). In
   * OBSERVATION telemetry never refuses. In DECISIONING it decides, and may require a captcha. Undefined for other calls.
   */
  static async of(
    services: RiskServices,
    endpoint: Pick<Endpoint, 'body'>,
    body: unknown,
    visitor: Visitor,
  ): Promise<PageSender | undefined> {
    if (!Object.hasOwn(endpoint.body, 'captcha_token') || !isRecord(body)) return undefined;
    const isDue = needsCaptcha(services, body);
    if (isDue && !(await isSolved(services, textOf(body, 'captcha_token'), visitor))) {
      throw new Refusal('captcha_required');
    }
    return new PageSender();
  }
}

/** This server calls no telemetry service, so without `--dev` it accepts no telemetry id. */
function needsCaptcha(
  { project, dev }: Pick<Services, 'dev' | 'project'>,
  body: Readonly<Record<string, unknown>>,
): boolean {
  const decides = project.dfp_protected_auth_enabled && project.dfp_protected_auth_mode === 'DECISIONING';
  if (!decides) return project.captcha_settings.enabled;
  const id = textOf(body, 'dfp_telemetry_id');
  if (id === '') throw new Refusal('dfp_telemetry_id_required');
  if (!dev || !id.startsWith(TELEMETRY_OF_DEV) || id.startsWith(`${TELEMETRY_OF_DEV}block`))
    throw new Refusal('unauthorized_action');
  return id.startsWith(`${TELEMETRY_OF_DEV}challenge`);
}

/** Every token is sent to a service that may charge for it, so the wrong tokens of a network are limited. */
async function isSolved(services: RiskServices, token: string, visitor: Visitor): Promise<boolean> {
  const { dev, captcha, limits } = services;
  if (dev && token.startsWith(CAPTCHA)) return true;
  if (token === '' || captcha === undefined) return false;
  const { address } = visitor;
  await peekForNetwork(services, 'captcha', address, limits.failuresPerNetwork);
  const solved = await captcha.isSolved({ ...visitor, token });
  if (!solved) await takeForNetwork(services, 'captcha', address, limits.failuresPerNetwork);
  return solved;
}

function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}
