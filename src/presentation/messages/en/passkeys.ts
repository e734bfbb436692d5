/** What the passkey screens say. */
export const passkeys = {
  'passkeys.start.title': 'Set up a new Passkey',
  'passkeys.start.subtitle': "With Passkeys you don't need to remember complex passwords.",
  'passkeys.start.text':
    'Passkeys are encrypted digital keys that you create with your fingerprint, your face or your screen lock.',
  'passkeys.start.elsewhere':
    'This device has no screen lock that can keep a Passkey. You can still create one on a security key or on your phone.',
  'passkeys.start.none': 'Passkeys cannot be created in this browser. Try another browser or device.',
  'passkeys.start.create': 'Create a Passkey',
  'passkeys.start.skip': 'Skip',
  'passkeys.noUser': 'Error: Cannot use PasskeyRegistration component without active user authenticated.',
  'passkeys.success.title': 'Passkey successfully created!',
  'passkeys.list': 'Existing Passkeys',
  'passkeys.list.empty': 'You have no Passkeys yet.',
  'passkeys.another': 'Set up another Passkey',
  'passkeys.done': 'Done',
  'passkeys.name': 'Name of the Passkey',
  'passkeys.edit': 'Rename {name}',
  'passkeys.save': 'Save the name',
  'passkeys.delete': 'Delete {name}',
  'passkeys.delete.warning': 'Once deleted, the passkey cannot be restored.',
  'passkeys.delete.confirm': 'Delete',
  'passkeys.delete.cancel': 'Cancel',
  'passkeys.deleted': '{name} was deleted.',
  'passkeys.renamed': 'The name was saved.',
  'passkeys.unnamed': 'Passkey',
} as const;
