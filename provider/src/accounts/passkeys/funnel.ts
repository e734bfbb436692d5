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
  { metrics, passkeyCounts, clock }: Pick<Services, 'metrics' | 'passkeyCounts' | 'clock'>,
  { userAgent }: { readonly userAgent: string },
  step: Exclude<PasskeyStep, 'failed'>,
  answering: () => Promise<Reply>,
): Promise<Reply> {
  const count = (reached: PasskeyStep): void => {
    const by = familyOf(userAgent);
    metrics.passkey(reached, by);
    passkeyCounts?.count(reached, by, clock.now());
  };
  try {
    const reply = await answering();
    count(step);
    return reply;
  } catch (error) {
    if (error instanceof Refusal && step !== 'offered') count('failed');
    throw error;
  }
}
