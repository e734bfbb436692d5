import { useRef } from 'react';
import { Button } from './Button.tsx';
import { ScreenFrame } from './ScreenFrame.tsx';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';
import { lazyScreen } from '../parts/registry.ts';

/** The generic error screen, a card of its own in place of one that threw. */
export function Failure({ retry }: { readonly retry: () => void }) {
  const { model, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  const { name } = model.getState().screen;
  // A browser remembers a module that failed to load for as long as the page lives; only a reload asks for it again.
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
              // The way back from there would leave a reset mail's token behind.
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
