import { useEffect, useRef } from 'react';
import { scoreOf, type LudsPolicy, type LudsRequirements } from '../../domain/password-strength.ts';
import type { PasswordCheck } from '../../domain/screens/widget-state.ts';
import { useLast } from '../hooks/useLast.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { feedbackText } from '../messages/feedback.ts';
import { Button } from './Button.tsx';
import { ErrorText } from './ErrorText.tsx';
import { LudsList } from './LudsList.tsx';
import { StrengthMeter } from './StrengthMeter.tsx';

interface Props {
  /** What is known of the password in the field; null while the field is empty. */
  readonly known: PasswordCheck | null;
  /** What this browser can tell of its characters; null while the field is empty. */
  readonly luds: LudsRequirements | null;
  readonly policy: LudsPolicy;
  /** Whether the project is likely to ask for kinds of characters, for the time until the server has said. */
  readonly prefersLuds: boolean;
  readonly retry: () => void;
}

/**
 * How good the password in the field is: this browser's estimate at once, the server's answer when it comes, the last
 * answer until then. A new answer is announced, when it says something else (section 5).
 */
export function PasswordStrength({ known, luds, policy, prefersLuds, retry }: Props) {
  const { strings, t, announce } = useWidget();
  const typed = luds !== null;
  const answer = known?.strength ?? null;
  const last = useLast(answer, typed);
  const score = useLast(answer?.score ?? known?.estimate ?? null, typed);
  const asks = last?.strength_policy ?? (prefersLuds ? 'luds' : 'zxcvbn');
  const breached = last?.breached_password === true;

  const said = useRef('');
  useEffect(() => {
    if (answer === null) return;
    const verdict = answer.valid_password ? 'accepted' : answer.breached_password ? 'breached' : 'refused';
    const text = [
      ...(answer.strength_policy === 'zxcvbn'
        ? [`${t('strength.meter')}: ${t(`strength.${scoreOf(answer.score)}`)}.`]
        : []),
      t(`strength.${verdict}`),
    ].join(' ');
    if (text !== said.current) announce(text);
    said.current = text;
  }, [answer, t, announce]);

  return (
    <div data-part="strength">
      {asks === 'zxcvbn' && <StrengthMeter score={score === null ? null : scoreOf(score)} />}
      {asks === 'luds' && <LudsList luds={answer?.feedback.luds_requirements ?? luds} policy={policy} />}
      {asks === 'zxcvbn' && last !== null && !last.valid_password && !breached && (
        <ul data-part="advice">
          {[last.feedback.warning, ...last.feedback.suggestions].filter(Boolean).map((sentence, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a server may say the same twice
            <li key={index}>
              <bdi>{feedbackText(sentence, strings)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {breached && <p data-part="breached">{t('strength.breached')}</p>}
      <div role="alert">
        {known !== null && known.error !== null && (
          <p data-part="unchecked">
            {t('strength.failed')} <ErrorText error={known.error} />{' '}
            <Button look="link" onPress={retry}>
              {t('password.tryAgain')}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}
