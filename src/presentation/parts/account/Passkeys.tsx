import { useEffect, useMemo, useReducer } from 'react';
import {
  IDLE_ROWS,
  reduceRows,
  rowsAmong,
  withChanges,
  type PasskeyChange,
} from '../../../domain/passkeys/passkey-list.ts';
import type { AccountPage } from '../../../domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { useWidget, WidgetContext } from '../../hooks/useWidget.ts';
import { makeTranslate } from '../../messages/catalogue.ts';
import { usePart } from '../parts.ts';
import { Borrowed } from './Borrowed.tsx';
import { Section, type SectionProps } from './Section.tsx';
import type { Elements } from '../../elements.ts';

/** The changes of passkeys that are in progress or wait: the list shows them already. */
function changesOf(page: AccountPage): readonly PasskeyChange[] {
  if (page.at !== 'working') return [];
  return [page.doing, ...page.waiting].flatMap((change): readonly PasskeyChange[] => {
    if (change.kind === 'renamePasskey') return [{ kind: 'rename', id: change.id, name: change.name }];
    return change.kind === 'remove' && change.what === 'passkey' ? [{ kind: 'delete', id: change.id }] : [];
  });
}

/** The passkeys, in the list of the passkey screens. */
export function Passkeys({ page }: SectionProps) {
  const { model, loadPart, t } = useWidget();
  const part = usePart('passkeys');
  const [open, dispatch] = useReducer(reduceRows, IDLE_ROWS);
  useEffect(() => {
    loadPart('passkeys').catch(() => undefined);
  }, [loadPart]);
  const passkeys = withChanges(page.user.webauthn_registrations ?? [], changesOf(page));
  const rows = rowsAmong(open, passkeys);
  if (rows !== open) dispatch({ type: 'closed' });
  return (
    <OwnWords>
      <Section name="passkeys" page={page}>
        {part === null ? (
          <p data-part="text">{t('loading')}</p>
        ) : (
          <Borrowed>
            <part.PasskeyList {...{ passkeys, rows, dispatch }} heading={null} />
          </Borrowed>
        )}
        <Button
          look="secondary"
          busy={page.at === 'working' && page.doing.kind === 'addPasskey'}
          onPress={() => model.send({ type: 'account/asked', change: { kind: 'addPasskey' } })}
        >
          {t('account.passkeys.add')}
        </Button>
      </Section>
    </OwnWords>
  );
}

/** On the passkey screens, the text of a failed creation mentions a button that this page does not have. */
function OwnWords({ children }: { readonly children: Elements }) {
  const tools = useWidget();
  const own = useMemo(() => {
    const strings = { ...tools.strings, 'error.passkey_not_created': tools.t('account.passkeys.notCreated') };
    return { ...tools, strings, t: makeTranslate(strings) };
  }, [tools]);
  return <WidgetContext.Provider value={own}>{children}</WidgetContext.Provider>;
}
