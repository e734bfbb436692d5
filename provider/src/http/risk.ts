import type { Endpoint } from '../../../src/application/api/index.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import type { Project } from '../project/project.ts';
import { Refusal } from './refusal.ts';

/** Tokens and ids that pass with `--dev`. This server asks no captcha or telemetry service, so elsewhere none does. */
const CAPTCHA = 'test-captcha-';
const TELEMETRY = 'test-dfp-';

/**
 * Holds every call whose body has a `captcha_token` to the project's captcha and device telemetry (specification,
 * section 4). In OBSERVATION telemetry never refuses; in DECISIONING it decides, and asks for a captcha in doubt.
 */
export function checkRisk(
  { project, dev }: { readonly project: Project; readonly dev: boolean },
  endpoint: Pick<Endpoint, 'body'>,
  body: unknown,
): void {
  if (!Object.hasOwn(endpoint.body, 'captcha_token') || !isRecord(body)) return;
  const solved = dev && textOf(body, 'captcha_token').startsWith(CAPTCHA);
  const decides = project.dfp_protected_auth_enabled && project.dfp_protected_auth_mode === 'DECISIONING';
  if (!decides) {
    if (project.captcha_settings.enabled && !solved) throw new Refusal('captcha_required');
    return;
  }
  const id = textOf(body, 'dfp_telemetry_id');
  if (id === '') throw new Refusal('dfp_telemetry_id_required');
  if (!dev || !id.startsWith(TELEMETRY) || id.startsWith(`${TELEMETRY}block`)) throw new Refusal('unauthorized_action');
  if (id.startsWith(`${TELEMETRY}challenge`) && !solved) throw new Refusal('captcha_required');
}

function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value : '';
}
