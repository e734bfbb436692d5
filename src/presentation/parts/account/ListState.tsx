import type { LoadedList } from '../../../domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

/** The state of a list that is loading or failed to load, with a button to try again. */
export function ListState({ list }: { readonly list: LoadedList<unknown> }) {
  const { model, t } = useWidget();
  if (list.status === 'loading') return <p data-part="text">{t('loading')}</p>;
  if (list.status !== 'failed') return null;
  return (
    <div role="alert">
      <p data-part="text">
        <ErrorText error={list.error} />
      </p>
      <Button look="secondary" onPress={() => model.send({ type: 'account/retried' })}>
        {t('account.retry')}
      </Button>
    </div>
  );
}
