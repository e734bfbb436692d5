import type { ScreenOf } from '../../domain/screens/screen.ts';
import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { ErrorBanner } from '../components/ErrorBanner.tsx';
import { LoginForms } from '../components/LoginForms.tsx';
import { Logo } from '../components/Logo.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'Main'>;
  readonly state: WidgetState;
}

export function Main({ screen, state }: Props) {
  const { styles, t } = useWidget();
  return (
    <>
      <Logo url={styles?.logo?.logoImageUrl} name={state.bootstrap.projectName} />
      <ScreenFrame title={styles?.hideHeaderText === true ? undefined : t('main.title')}>
        <LoginForms screen={screen} state={state} />
        <ErrorBanner error={state.error} />
      </ScreenFrame>
    </>
  );
}
