import { useEffect, useReducer } from 'react';
import { IDLE_ROWS, reduceRows, rowsAmong, withChanges, type PasskeyChange } from '#domain/passkeys/passkey-list.ts';
import type { AccountPage } from '#domain/account/account.ts';
import { Button } from '../../components/Button.tsx';
import { useWidget } from '../../hooks/useWidget.ts';
import { usePart } from '../parts.ts';
import { Section, type SectionProps } from './Section.tsx';

/** The changes of passkeys that are in progress or waiting. The list already shows them. */
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
    <Section name="passkeys" page={page}>
      {part === null ? (
        <p data-part="text">{t('loading')}</p>
      ) : (
        <part.PasskeyList
          {...{ passkeys, rows, dispatch }}
          onRename={(id, name) => model.send({ type: 'account/asked', change: { kind: 'renamePasskey', id, name } })}
          onDelete={(id) => model.send({ type: 'account/asked', change: { kind: 'remove', what: 'passkey', id } })}
          heading={null}
        />
      )}
      <Button
        look="secondary"
        busy={page.at === 'working' && page.doing.kind === 'addPasskey'}
        onPress={() => model.send({ type: 'account/asked', change: { kind: 'addPasskey' } })}
      >
        {t('account.passkeys.add')}
      </Button>
    </Section>
  );
}
