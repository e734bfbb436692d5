import { passwordlessMethod } from '#domain/passwords/passwordless.ts';
import type { PendingSubmit } from '#domain/screens/submits.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';

interface Props {
  readonly email: string;
  readonly pending: PendingSubmit | null;
  /** The button's label; by default it names the message that is sent. */
  readonly label?: string;
}

/** The button for a login without a password, by a link or a code, if one is configured. */
export function EmailInstead({ email, pending, label }: Props) {
  const { model, config, t } = useWidget();
  const method = passwordlessMethod(config);
  if (method === null) return null;
  const intentType = method === 'link' ? 'magicLink/requested' : 'otp/requested';
  return (
    <Button
      look="secondary"
      busy={pending === intentType}
      off={pending !== null}
      onPress={() =>
        model.send(
          method === 'link'
            ? { type: 'magicLink/requested', email }
            : { type: 'otp/requested', method: 'email', destination: email },
        )
      }
    >
      {label ?? t(method === 'link' ? 'password.emailLink' : 'password.emailCode')}
    </Button>
  );
}
