import { Component, useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { ScreenFrame } from './ScreenFrame.tsx';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { lazyScreen } from '../parts/registry.ts';

/** The generic error screen, which replaces a card that threw. */
function Failure({ retry }: { readonly retry: () => void }) {
  const { model, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  const { name } = model.getState().screen;
  // A browser caches the failure of loading a module for the life of the page; only a reload requests the module again.
  const isUnloaded = name !== 'Main' && lazyScreen(name) === null;
  useScreenFocus(root, 'Failure', t('failure.title'));
  return (
    <div ref={root} data-part="container" data-screen="Failure">
      <div data-part="content">
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">{t(isUnloaded ? 'failure.unloaded' : 'failure.text')}</p>
          <Button
            look="primary"
            onPress={() => {
              if (isUnloaded) {
                window.location.reload();
                return;
              }
              retry();
              // Leaving the reset form would lose the token of the reset mail.
              if (name !== 'PasswordResetForm') model.send({ type: 'back' });
            }}
          >
            {t(isUnloaded ? 'failure.reload' : 'failure.back')}
          </Button>
        </ScreenFrame>
      </div>
    </div>
  );
}

interface Props {
  readonly children: ReactNode;
}

/** Shows the error screen in place of children that threw. A class, because React has error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <Failure retry={() => this.setState({ failed: false })} />;
  }
}
