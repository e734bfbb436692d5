import { passwordlessMethod } from '../../../domain/passwordless.ts';
import type { Pending } from '../../../domain/screens/widget-state.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { Button } from '../../components/Button.tsx';

interface Props {
  readonly email: string;
  readonly pending: Pending | null;
  /** What the button says; unless given, what it sends. */
  readonly label?: string;
}

/** The way in without a password, where one is configured: a link or a code by email. */
export function EmailInstead({ email, pending, label }: Props) {
  const { model, config, t } = useWidget();
  const method = passwordlessMethod(config);
  if (method === null) return null;
  const asked = method === 'link' ? 'magicLink/requested' : 'otp/requested';
  return (
    <Button
      look="secondary"
      busy={pending === asked}
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
