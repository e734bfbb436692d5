import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in Arabic. */
export const arDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': 'توصيل جهاز',
  'device.label': 'الرمز الظاهر على الجهاز',
  'device.continue': 'متابعة',
  'device.warning': 'اسمح بذلك فقط لجهاز أمامك. لا أحد يراسلك أو يتصل بك يحتاج إلى رمزك.',
  'device.code': 'يعرض الجهاز هذا الرمز:',
  'device.program': 'برنامجه: {program}',
  'device.program.unknown': 'لا يذكر الجهاز برنامجه.',
  'device.network.same': 'الجهاز في الشبكة نفسها التي فيها هذا المتصفح: {network}',
  'device.network.other': 'الجهاز في شبكة غير شبكة هذا المتصفح: {network}',
  'device.network.unknown': 'شبكة الجهاز غير معروفة.',
  'device.done.title': 'تم توصيل الجهاز',
  'device.done.text': 'ارجع إلى الجهاز. يمكنك إغلاق هذه الصفحة.',
  'device.denied': 'رُفض وصول الجهاز. يمكنك إغلاق هذه الصفحة.',
};
