import { useEffect, useRef } from 'react';
import { Button } from '../components/Button.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useWidget } from '../hooks/useWidget.ts';

/** The generic error screen, shown in place of a screen that threw. */
export function Failure({ retry }: { readonly retry: () => void }) {
  const { model, t, announce } = useWidget();
  const shown = useRef(false);
  useEffect(() => {
    if (!shown.current) announce(t('failure.title'));
    shown.current = true;
  }, [announce, t]);
  return (
    <ScreenFrame mark="alert" title={t('failure.title')}>
      <p data-part="text">{t('failure.text')}</p>
      <Button
        look="primary"
        onPress={() => {
          model.send({ type: 'back' });
          retry();
        }}
      >
        {t('failure.back')}
      </Button>
    </ScreenFrame>
  );
}
