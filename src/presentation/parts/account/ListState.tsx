import { useEffect, useRef } from 'react';
import type { LoadedList } from '#domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorText } from '../../components/ErrorBanner.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly list: LoadedList<unknown>;
  readonly title: string;
}

/**
 * The state of a list that is loading or could not be loaded, with a button to try again. The page's live region announces the failure,
 * with the title of the list.
 */
export function ListState({ list, title }: Props) {
  const { announce, model, t } = useWidget();
  const text = useRef<HTMLParagraphElement>(null);
  const error = list.status === 'failed' ? list.error : null;
  useEffect(() => {
    if (error !== null) announce(`${title}: ${text.current?.textContent}`);
  }, [error, announce, title]);
  if (list.status === 'loading') return <p data-part="text">{t('loading')}</p>;
  if (error === null) return null;
  return (
    <div>
      <p ref={text} data-part="text">
        <ErrorText error={error} />
      </p>
      <Button look="secondary" onPress={() => model.send({ type: 'account/retried' })}>
        {t('account.retry')}
      </Button>
    </div>
  );
}
