import { writtenEmail } from '#domain/contacts/international-domain.ts';
import type { ScreenOf } from '#domain/screens/screen.ts';
import { Button } from '../../components/Button.tsx';
import { Mailboxes } from './Mailboxes.tsx';
import { Message } from './Message.tsx';
import { ScreenFrame } from '../../components/ScreenFrame.tsx';
import { useWidget } from '../../hooks/useWidget.ts';

interface Props {
  readonly screen: ScreenOf<'EmailConfirmation'>;
}

export function EmailConfirmation({ screen }: Props) {
  const { model, t } = useWidget();
  return (
    <ScreenFrame title={t('emailConfirmation.title')}>
      <p data-part="text">
        <Message id="emailConfirmation.sent" values={{ email: writtenEmail(screen.email) }} />
      </p>
      <Mailboxes email={screen.email} />
      <p data-part="again">
        <span>{`${t('emailConfirmation.missing')} `}</span>
        <Button look="link" onPress={() => model.send({ type: 'magicLink/tryAgain' })}>
          {t('emailConfirmation.tryAgain')}
        </Button>
      </p>
    </ScreenFrame>
  );
}
