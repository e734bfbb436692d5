import type { LudsPolicy, LudsRequirements } from '#domain/passwords/password-strength.ts';
import { useWidget, type WidgetTools } from '../../hooks/useWidget.ts';
import { Icon } from '../../components/Icon.tsx';

interface Props {
  /** Null while nothing is typed. */
  readonly luds: LudsRequirements | null;
  readonly policy: LudsPolicy;
}

/** The project's character rules for passwords in words, and whether each is met. */
export function ludsRules(
  luds: LudsRequirements | null,
  { ludsMinimumCount, ludsComplexity }: LudsPolicy,
  t: WidgetTools['t'],
) {
  return [
    {
      asks: 'length',
      text: t(ludsMinimumCount === 1 ? 'strength.lengthOne' : 'strength.length', { n: String(ludsMinimumCount) }),
      met: luds?.missing_characters === 0,
    },
    { asks: 'kinds', text: t('strength.kinds', { n: String(ludsComplexity) }), met: luds?.missing_complexity === 0 },
  ];
}

/** The project's character rules for passwords, with a tick on each that is met (section 5). */
export function LudsList({ luds, policy }: Props) {
  const { t } = useWidget();
  return (
    <ul data-part="rules">
      {ludsRules(luds, policy, t).map(({ asks, text, met }) => (
        <li key={asks} data-state={met ? 'met' : 'open'}>
          {met ? <Icon name="tick" /> : <span data-part="bullet" />}
          <span>
            <span>{text}</span>
            <span data-part="spoken">{` ${t(met ? 'strength.met' : 'strength.unmet')}`}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
