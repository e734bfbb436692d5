import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import type { MainLayout } from '#domain/screens/main-layout.ts';
import type { ScreenState } from '#domain/screens/widget-state.ts';
import { usePart } from '../parts/parts.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { Button } from '../components/Button.tsx';
import { FromLogin } from '../components/FromLogin.tsx';
import { COMMON_MARKS } from '../parts/common-marks.ts';
import { ProviderMark } from './ProviderMark.tsx';

interface Props {
  readonly social: MainLayout['social'];
  /** The method to mark, or null. */
  readonly lastMethod: string | null;
  readonly state: ScreenState;
}

/** A button for each social login, in the order of the configuration. Space is reserved for the icons that load later. */
export function OAuthButtons({ social, lastMethod, state }: Props) {
  const { model, config, t } = useWidget();
  const { declined } = state;
  const isRow =
    config.oauthOptions?.layout === 'row' &&
    (social.length === 3 || social.length === 4) &&
    social.every(({ oneTap }) => !oneTap);
  const further = usePart('marks')?.FURTHER_MARKS;
  const buttons = social.map(({ index, type, oneTap }) => {
    const busy = state.pendingIndex === index;
    const button = (
      <Button
        key={index}
        look="secondary"
        busy={busy}
        off={state.pending !== null && !busy}
        mark={<ProviderMark {...(COMMON_MARKS[type] ?? further?.[type])} />}
        isLast={lastMethod === `oauth:${type}`}
        onPress={() => model.send({ type: 'oauth/chosen', index })}
      >
        {t('oauth.continue', { provider: OAUTH_PROVIDERS[type] })}
      </Button>
    );
    if (!oneTap) return button;
    return (
      <div key={index} data-part="one-tap">
        <FromLogin instead={button}>
          {(login) => <login.OneTap index={index} state={state} button={button} />}
        </FromLogin>
      </div>
    );
  });
  return (
    <>
      {declined && <FromLogin>{(login) => <login.DeclinedAt {...declined} />}</FromLogin>}
      {isRow ? <div data-part="icons">{buttons}</div> : buttons}
    </>
  );
}
