import type { Translate } from '../messages/catalogue.ts';
import { Button } from './Button.tsx';

/** A browser keeps the failure of a file for the life of the page: only a reload requests the file again. */
export const reload = (): void => window.location.reload();

/** Says that a file of the widget did not load, and offers to reload the page where there is a network. */
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
