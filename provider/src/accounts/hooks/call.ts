import { OutsideError, outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { signedHeaders, webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import { systemClock } from '#provider/base/platform.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { outsideLine } from '#provider/base/security/work-line.ts';
import type { HookName, HookSettings } from '#provider/project/settings/hooks.ts';
import type { Services } from '../services.ts';
import { readAnswer, type HookAnswer, type HookFailure } from './answer.ts';

const MAX_BYTES = 16 * 1024;
const JSON_TYPE = /^application\/json\s*(?:;|$)/iu;

/**
 * Sends one request to a hook, signed like a webhook, and reads the answer. Never rejects, and always ends by the deadline. It follows no
 * redirect, and is never repeated. Call it outside of transactions.
 */
export async function callHook(
  { project, random }: Pick<Services, 'project' | 'random'>,
  name: HookName,
  { url, secret, deadline_ms }: HookSettings,
  data: object,
): Promise<HookAnswer | HookFailure> {
  const id = newId(random, 'hook');
  // Receivers check the time of signatures, which --dev cannot change.
  const at = systemClock.now();
  const body = JSON.stringify({ id, type: `hook.${name}`, timestamp: new Date(at).toISOString(), data });
  const keys = secret.map(webhookKeyFrom).filter((key) => key !== null);
  const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { id, at, body }) };
  const send = outsideFetch({ allowPrivate: project.allow_loopback, timeoutMs: deadline_ms, maxBytes: MAX_BYTES });
  const roles = new Set(project.rbac_policy.roles.map(({ role_id }) => role_id));
  const exchange = async (): Promise<HookAnswer | HookFailure> => {
    const reply = await send(url, { method: 'POST', headers, body });
    const text = new TextDecoder().decode(await reply.arrayBuffer());
    return readAnswer(text, { id, roles, flaw: flawOf(reply) });
  };
  // The deadline does not include the way back into a queue.
  return outsideLine(() => inTime(deadline_ms, exchange));
}

function flawOf({ status, headers }: Response): string | null {
  if (status !== 200) return `answered with status ${status}`;
  return JSON_TYPE.test(headers.get('content-type') ?? '') ? null : 'answered no application/json';
}

/** Ends by the deadline even if something below does not, such as a look-up of a name. */
async function inTime(
  milliseconds: number,
  exchange: () => Promise<HookAnswer | HookFailure>,
): Promise<HookAnswer | HookFailure> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HookFailure>((resolve) => {
    timer = setTimeout(resolve, milliseconds, { failure: 'did not answer in time' });
  });
  try {
    return await Promise.race([exchange(), late]);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { failure: `was not reached: ${error.failure.replaceAll('_', ' ')}` };
  } finally {
    clearTimeout(timer);
  }
}
