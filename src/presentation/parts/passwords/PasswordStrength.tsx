import { useEffect, useRef, useState } from 'react';
import {
  meterOf,
  requiresNothing,
  scoreOf,
  type LudsPolicy,
  type Score,
  type LudsRequirements,
  type PasswordCheck,
  type PasswordStrength as PasswordAnswer,
} from '#domain/passwords/password-strength.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { feedbackText } from './feedback-text.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { LudsList, ludsRules } from './LudsList.tsx';
import { StrengthMeter } from './StrengthMeter.tsx';

/** The value; while it is null and `keepsLast` is true, the last value that was not null. */
function useLast<T>(value: T | null, keepsLast: boolean): T | null {
  const [last, setLast] = useState(value);
  const next = value ?? (keepsLast ? last : null);
  if (next !== last) setLast(next);
  return next;
}

interface Props {
  /** The check of the password in the field; null while the field is empty. */
  readonly check: PasswordCheck | null;
  /** The browser's check of its characters; null while the field is empty. */
  readonly luds: LudsRequirements | null;
  readonly policy: LudsPolicy;
  /** Whether the project probably requires kinds of characters: used until the server has answered. */
  readonly prefersLuds: boolean;
  readonly retry: () => void;
}

const NONE: readonly string[] = [];

/** This browser's estimate if it is bad. The server tries more guesses, so its score is never better. */
function badEstimate(check: PasswordCheck | null): Score | null {
  if (check === null || check.estimate === null) return null;
  const score = scoreOf(check.estimate);
  return meterOf(score).tone === 'bad' ? score : null;
}

/** The announcement of the server's response: the score, the verdict, and the reasons against the password. */
function spokenResult(
  { strength_policy: kind, score, valid_password, breached_password, feedback }: PasswordAnswer,
  advice: readonly string[],
  policy: LudsPolicy,
  t: WidgetTools['t'],
): string {
  const verdict = valid_password ? 'accepted' : breached_password ? 'breached' : 'refused';
  const counts = kind === 'luds' && !requiresNothing(policy);
  const unmet = counts ? ludsRules(feedback.luds_requirements, policy, t).filter(({ met }) => !met) : [];
  const reasons = verdict === 'refused' ? [...advice, ...unmet.map(({ text }) => `${text}.`)] : NONE;
  const scored = kind === 'zxcvbn' ? [`${t('strength.meter')}: ${t(`strength.${scoreOf(score)}`)}.`] : NONE;
  return [...scored, t(`strength.${verdict}`), ...reasons].join(' ');
}

/**
 * The strength of the password in the field, from the server's answer for exactly this password. Until the answer arrives, only a
 * bad estimate shows, because only that is certain. A changed result is announced (section 5).
 */
export function PasswordStrength({ check, luds, policy, prefersLuds, retry }: Props) {
  const { strings, t, announce } = useWidget();
  const hasText = luds !== null;
  const answer = check?.strength ?? null;
  const asks = useLast(answer?.strength_policy ?? null, hasText) ?? (prefersLuds ? 'luds' : 'zxcvbn');
  const checking = check !== null && answer === null && check.error === null;
  const score = answer === null ? badEstimate(check) : scoreOf(answer.score);
  const breached = answer?.breached_password === true;

  const advice =
    asks === 'zxcvbn' && answer !== null && !answer.valid_password && !breached
      ? [answer.feedback.warning, ...answer.feedback.suggestions]
          .filter(Boolean)
          .map((sentence) => feedbackText(sentence, strings))
      : NONE;

  // The check is sent after a pause in typing, so this is not announced at every key.
  const spoken = answer === null ? '' : spokenResult(answer, advice, policy, t);
  const announcement = useRef('');
  useEffect(() => {
    if (spoken === '') return;
    if (spoken !== announcement.current) announce(spoken);
    announcement.current = spoken;
  }, [spoken, announce]);

  return (
    <div data-part="strength">
      {asks === 'zxcvbn' && <StrengthMeter score={score} checking={checking} />}
      {asks === 'luds' && !requiresNothing(policy) && (
        <LudsList luds={answer?.feedback.luds_requirements ?? luds} policy={policy} />
      )}
      {asks !== 'zxcvbn' && (
        <p data-part="grade" aria-hidden="true">
          {checking && t('strength.checking')}
        </p>
      )}
      {advice.length > 0 && (
        <ul data-part="advice">
          {advice.map((sentence, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a server may say the same twice
            <li key={index}>
              <bdi>{sentence}</bdi>
            </li>
          ))}
        </ul>
      )}
      {breached && <p data-part="breached">{t('strength.breached')}</p>}
      <div role="alert">
        {check !== null && check.error !== null && (
          <p data-part="unchecked">
            <span>{`${t('strength.failed')} `}</span>
            <ErrorText error={check.error} />
            <span> </span>
            <Button look="link" onPress={retry}>
              {t('password.tryAgain')}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}
