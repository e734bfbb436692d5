import { useRef } from 'react';
import { Button } from '../components/Button.tsx';
import { ScreenFrame } from '../components/ScreenFrame.tsx';
import { useScreenFocus } from '../hooks/useScreenFocus.ts';
import { useWidget } from '../hooks/useWidget.ts';

interface Props {
  readonly retry: () => void;
  /** Code did not load: only a new page asks for it again in every browser. */
  readonly isUnloaded: boolean;
}

/** The generic error screen, a card of its own in place of one that threw. */
export function Failure({ retry, isUnloaded }: Props) {
  const { model, t } = useWidget();
  const root = useRef<HTMLDivElement>(null);
  const isReset = model.getState().screen.name === 'PasswordResetForm';
  useScreenFocus(root, 'Failure', t('failure.title'));
  return (
    <div ref={root} data-part="container" data-screen="Failure">
      <div data-part="content">
        <ScreenFrame mark="alert" title={t('failure.title')}>
          <p data-part="text">{t(isUnloaded ? 'failure.unloaded' : 'failure.text')}</p>
          {isUnloaded && (
            <Button look="primary" onPress={() => root.current?.ownerDocument.location.reload()}>
              {t('failure.reload')}
            </Button>
          )}
          {/* The way back from a reset page would leave its mail's token behind. */}
          {!(isUnloaded && isReset) && (
            <Button
              look={isUnloaded ? 'secondary' : 'primary'}
              onPress={() => {
                retry();
                if (!isReset) model.send({ type: 'back' });
              }}
            >
              {t('failure.back')}
            </Button>
          )}
        </ScreenFrame>
      </div>
    </div>
  );
}
