import type { Translate } from '../messages/catalogue.ts';
import { Button } from './Button.tsx';

/** A browser remembers the failure of a file as long as the page lives. Only a reload requests the file again. */
export const reload = (): void => window.location.reload();

/** Reports that a file of the widget could not be loaded and, if there is a network, offers to reload the page. */
export function Unloaded({ t }: { readonly t: Translate }) {
  return (
    <>
      <span data-part="said">{t('failure.unloaded')}</span>
      {navigator.onLine && (
        <Button look="link" onPress={reload}>
          {t('failure.reload')}
        </Button>
      )}
    </>
  );
}
