import { LANES } from '#provider/base/security/known-networks.ts';
import { tryTake, limitRefusal, type LimitUse } from '#provider/base/security/limits.ts';
import type { Services } from '../services.ts';

const COUNTRY = 'text:country:';
const PROJECT = 'text:project:';

/**
 * The project's hourly budgets of text messages: for one country, and in total. Fraudsters who earn from text messages cause them for whole
 * number ranges and from many networks (SMS pumping). Strangers cannot use up the share of owners who log in from known networks.
 *
 * @param country in the form of `checkPhoneNumber`
 */
export function textBudgets(
  { limits, project }: Pick<Services, 'limits' | 'project'>,
  country: string,
): readonly LimitUse[] {
  const { textsPerCountry, textsPerProject } = limits;
  const ofCountry = { ...textsPerCountry, max: project.sms_budgets[country] ?? textsPerCountry.max };
  return (['known', 'stranger'] as const).flatMap((lane) => [
    { name: `${COUNTRY}${lane}:${country}`, limit: ofCountry, applies: LANES[lane] },
    { name: `${PROJECT}${lane}`, limit: textsPerProject, applies: LANES[lane] },
  ]);
}

/** Refuses a text message over a budget, and warns the operator once per period of the budget, in one of the processes. */
export async function refuseSpentBudget(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'limits' | 'warn' | 'metrics'>,
  country: string,
  { name, waitMs }: { readonly name: string; readonly waitMs: number },
): Promise<void> {
  const isOfCountry = name.startsWith(COUNTRY);
  if (!isOfCountry && !name.startsWith(PROJECT)) return;
  services.metrics.spentTextBudget(isOfCountry ? country : 'all');
  const { windowMs } = services.limits[isOfCountry ? 'textsPerCountry' : 'textsPerProject'];
  if (await tryTake(services, `warned:${name}`, { max: 1, windowMs })) {
    const [whither, setting] = isOfCountry
      ? [`to ${country}`, `sms_budgets.${country} or limits.texts_per_country`]
      : ['of this project', 'limits.texts_per_project'];
    const who = name.includes(':known') ? 'owners of numbers' : 'strangers';
    services.warn?.(
      `the budget for texts ${whither} to ${who} is spent, and further ones are refused: this may be SMS pumping. ${setting} sets the budget.`,
    );
  }
  const subject = isOfCountry ? 'Too many texts are being sent to this country.' : 'Too many texts are being sent.';
  throw limitRefusal('too_many_requests', waitMs, `${subject} Log in by email, or try again later.`);
}
