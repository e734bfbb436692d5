/** Types into a field of the widget as a user would. False when no such field shows. */
export function typeInto(selector: string, text: string): boolean {
  const host = document.querySelector('#widget')?.firstElementChild;
  const field = (host?.shadowRoot ?? host)?.querySelector<HTMLInputElement>(selector);
  if (!field || field.readOnly || field.disabled) return false;
  field.focus();
  // React observes the element's own property. Typing uses the setter of the prototype.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  return true;
}
