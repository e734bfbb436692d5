/** Types into a field of the widget as a person would; false where no such field shows. */
export function typeInto(selector: string, text: string): boolean {
  const host = document.querySelector('#widget')?.firstElementChild;
  const field = (host?.shadowRoot ?? host)?.querySelector<HTMLInputElement>(selector);
  if (!field || field.readOnly || field.disabled) return false;
  field.focus();
  // React watches the property of the element itself; the setter of the prototype is what typing uses.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  return true;
}
