import { agentNames } from '../../../../src/domain/sessions/user-agent.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { BrowserFamily, PasskeyStep } from '../../base/metrics/metrics.ts';
import type { Services } from '../services.ts';

const FAMILIES = ['Chrome', 'Safari', 'Firefox', 'Edge'] as const;
const MOBILE: ReadonlySet<string | null> = new Set(['iPhone', 'iPad', 'Android']);

/** The family of a browser: one of ten, because the user agent is whatever the caller sends. */
function familyOf(userAgent: string): BrowserFamily {
  const { browser, system } = agentNames(userAgent);
  return { browser: FAMILIES.find((family) => family === browser) ?? 'other', mobile: MOBILE.has(system) };
}

/** Answers a call of a browser, and counts the step that it ends, or its refusal. A refused offer is none. */
export async function counted<Reply>(
  { metrics }: Pick<Services, 'metrics'>,
  { userAgent }: { readonly userAgent: string },
  step: Exclude<PasskeyStep, 'failed'>,
  answering: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const reply = await answering();
    metrics.passkey(step, familyOf(userAgent));
    return reply;
  } catch (error) {
    if (error instanceof Refusal && step !== 'offered') metrics.passkey('failed', familyOf(userAgent));
    throw error;
  }
}
