import { mainLayout } from '../../domain/screens/main-layout.ts';
import type { ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { EmailForm } from '../components/EmailForm.tsx';
import { ErrorBanner } from '../components/ErrorBanner.tsx';
import { Logo } from '../components/Logo.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: WidgetState;
}

export function Main({ screen, state }: Props) {
  const { config, styles, t } = useWidget();
  const { email } = mainLayout(config);
  return (
    <>
      <Logo url={styles?.logo?.logoImageUrl} name={state.bootstrap.projectName} />
      <ScreenFrame title={styles?.hideHeaderText === true ? undefined : t('main.title')}>
        {email !== null && <EmailForm method={email} initial={screen.email} pending={state.pending} />}
        <ErrorBanner error={state.error} />
      </ScreenFrame>
    </>
  );
}
