import type { DeviceKey } from '../../en/consent.ts';

/** The page for devices that show a code, in Chinese. */
export const zhDevices: Readonly<Record<DeviceKey, string>> = {
  'device.title': '连接设备',
  'device.label': '设备上显示的代码',
  'device.continue': '继续',
  'device.warning': '只允许您面前的设备。任何写信或打电话给您的人都不需要您的代码。',
  'device.code': '设备显示的代码：',
  'device.program': '设备的程序：{program}',
  'device.program.unknown': '设备未说明其程序。',
  'device.network.same': '设备与此浏览器在同一网络：{network}',
  'device.network.other': '设备与此浏览器不在同一网络：{network}',
  'device.network.unknown': '设备的网络未知。',
  'device.done.title': '设备已连接',
  'device.done.text': '请返回设备。可以关闭此页面。',
  'device.denied': '已拒绝该设备的访问。可以关闭此页面。',
};
