import { useEffect } from 'react';
import type { AccountTask } from '#domain/account/account.ts';
import { dataSettingsOf } from '#domain/account/data-settings.ts';
import { Button } from '../../components/Button.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useBootstrap, useWidget } from '../../hooks/useWidget.ts';
import { ConfirmTask, TaskNotice } from './ConfirmTask.tsx';
import { Cancel, Opener } from './controls.tsx';
import { Section, taskOf, type SectionProps } from './Section.tsx';

/**
 * The file with the user's data, and the deletion of the account. Hidden if the server has no such calls, and for somebody who acts for the
 * user, who does not see sessions either.
 */
export function Data({ page }: SectionProps) {
  const { model, t } = useWidget();
  const account = dataSettingsOf(useBootstrap().account);
  if (account === null || page.sessions.status === 'absent') return null;
  const task = taskOf(page);
  const isExporting = page.at === 'working' && page.doing.kind === 'exportData';
  return (
    <Section name="data" page={page}>
      <p data-part="text">{t('account.data.text')}</p>
      <Button
        look="secondary"
        busy={isExporting}
        off={page.at === 'working' && !isExporting}
        onPress={() => model.send({ type: 'account/asked', change: { kind: 'exportData' } })}
      >
        {t('account.data.download')}
      </Button>
      {task?.kind === 'exported' && <Exported task={task} />}
      {account.deletion &&
        (task?.kind === 'deleteUser' ? (
          <ConfirmTask
            page={page}
            section="data"
            question={t('account.data.question')}
            change={{ kind: 'deleteUser' }}
            yes={t('account.data.yes')}
          />
        ) : (
          <div data-part="actions">
            <Opener task={{ kind: 'deleteUser' }}>{t('account.data.delete')}</Opener>
          </div>
        ))}
    </Section>
  );
}

const save = (text: string): void => saveFile('account-data.json', 'application/json', text);

type ExportedTask = Extract<AccountTask, { readonly kind: 'exported' }>;

/** The replies that were already saved, because the page shows a reply again after a question that replaced it. */
const saved = new WeakSet<ExportedTask>();

/** Saves the file as soon as it arrives. The button saves it again. */
function Exported({ task }: { readonly task: ExportedTask }) {
  const { t } = useWidget();
  const { text } = task;
  useEffect(() => {
    if (saved.has(task)) return;
    saved.add(task);
    save(task.text);
  }, [task]);
  return (
    <TaskNotice text={t('account.data.ready')}>
      <Button look="secondary" onPress={() => save(text)}>
        {t('account.data.save')}
      </Button>
      <Cancel text={t('account.data.close')} />
    </TaskNotice>
  );
}
