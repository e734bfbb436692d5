import {
  useInsertionEffect,
  useReducer,
  useRef,
  useState,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { isComposed } from '../hooks/keys.ts';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'onInput' | 'onCompositionEnd'> {
  readonly field?: RefObject<HTMLInputElement | null> | undefined;
  readonly invalid?: boolean;
  /** Replaces the typed text after each edit, and when it changes. Without it the field keeps its own text. */
  readonly value?: string;
  /** Called with the text of the field after each edit. An input method edits once, when its composition ends. */
  readonly onText?: (text: string) => void;
  /** Called with the text of the field during a composition, and with null at its end. */
  readonly onComposition?: (text: string | null) => void;
}

/**
 * The text field of every form. While an input method composes, the field keeps its text, the form gets no edit, and Enter belongs to the
 * input method. A text that the browser fills in without an event stays until the next edit, so forms read the field.
 */
export function TextField({
  field,
  invalid,
  type,
  value,
  defaultValue,
  onText,
  onComposition,
  onKeyDown,
  ...rest
}: Props) {
  const own = useRef<HTMLInputElement>(null);
  const ref = field ?? own;
  const [first] = useState(value);
  const [emailType, setEmailType] = useState(type);
  const isComposing = useRef(false);
  const [edits, count] = useReducer((before: number) => before + 1, 0);
  const state = `${edits} ${value}`;
  const lastState = useRef(state);
  // Before the paint, and without the warning of React 18 for a layout effect on a server. It writes after the first rendering only.
  useInsertionEffect(() => {
    if (isComposing.current || lastState.current === state) return;
    lastState.current = state;
    const { current } = ref;
    if (value !== undefined && current && current.value !== value) current.value = value;
  });

  const edit = (text: string): void => {
    isComposing.current = false;
    if (value !== undefined) count();
    onText?.(text);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (!isComposed(event.nativeEvent)) onKeyDown?.(event);
    // On Android the key that sends the form comes while the last word is still being composed.
    else if (event.key === 'Enter' && !/Android/.test(navigator.userAgent)) event.preventDefault();
  };
  return (
    <input
      data-part="input"
      data-state={invalid ? 'invalid' : 'valid'}
      aria-invalid={invalid}
      {...rest}
      ref={ref}
      type={type === 'email' ? emailType : type}
      defaultValue={defaultValue ?? first}
      onKeyDown={press}
      onChange={({ currentTarget, nativeEvent }) => {
        const { isComposing: composes, inputType } = nativeEvent as InputEvent;
        // `EmailHint` turns it into a text field if the browser would change the letters of the address. React would change the type back.
        setEmailType(currentTarget.type);
        if (composes) isComposing.current = true;
        if (isComposing.current && (composes || /Composition/.test(inputType))) onComposition?.(currentTarget.value);
        // Firefox sends one more event after the end of a composition.
        else if (inputType !== 'insertCompositionText') edit(currentTarget.value);
      }}
      onCompositionEnd={({ currentTarget: { value: text } }) => {
        if (!isComposing.current) return;
        isComposing.current = false;
        onComposition?.(null);
        // A cancelled composition is not an edit.
        if (text !== value) edit(text);
      }}
    />
  );
}
