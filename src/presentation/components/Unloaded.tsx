import type { Translate } from '../messages/catalogue.ts';
import { Button } from './Button.tsx';
import { reloadPage } from './reload-page.ts';

/** Reports that a file of the widget could not be loaded and, if there is a network, offers to reload the page. */
export function Unloaded({ t }: { readonly t: Translate }) {
  return (
    <>
      <span data-part="said">{t('failure.unloaded')}</span>
      {navigator.onLine && (
        <Button look="link" onPress={reloadPage}>
          {t('failure.reload')}
        </Button>
      )}
    </>
  );
}
