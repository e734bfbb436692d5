import { useRef } from 'react';
import { Button } from '../components/Button.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';

/** The generic error screen, a card of its own in place of one that threw. */
export function Failure({ retry }: { readonly retry: () => void }) {
  const { model, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  useScreenFocus(root, 'Failure', t('failure.title'));
  return (
    <div ref={root} data-part="container" data-screen="Failure">
      <div data-part="content">
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">{t('failure.text')}</p>
          <Button
            look="primary"
            onPress={() => {
              retry();
              // The way back from there would leave a reset mail's token behind.
              if (model.getState().screen.name !== 'PasswordResetForm') model.send({ type: 'back' });
            }}
          >
            {t('failure.back')}
          </Button>
        </ScreenFrame>
      </div>
    </div>
  );
}
