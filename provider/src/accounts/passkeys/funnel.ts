import { agentNames } from '#domain/sessions/user-agent.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';
import type { Services } from '../services.ts';

const FAMILIES = ['Chrome', 'Safari', 'Firefox', 'Edge'] as const;
const MOBILE: ReadonlySet<string | null> = new Set(['iPhone', 'iPad', 'Android']);

/** The browser family. There are only ten, because the caller can send any user agent. */
function familyOf(userAgent: string): BrowserFamily {
  const { browser, system } = agentNames(userAgent);
  return { browser: FAMILIES.find((family) => family === browser) ?? 'other', mobile: MOBILE.has(system) };
}

/** Answers a browser's call, and counts the step that it completes, or its refusal. A refused offer is not counted. */
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
