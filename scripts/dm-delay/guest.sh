#!/bin/sh
# The first process of the test machine, over the host's files (read-only). The kernel passes on what its command line
# says: where the project and its Node lie, which modules to load, how to reach the directory to write to.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
if [ "$CACHESCOPE_SHARE" = hostfs ]; then
  # What user-mode Linux shows there until then is the host's.
  mount -t proc proc /proc
  mount -t sysfs sysfs /sys
  mount -t devtmpfs devtmpfs /dev
fi
mount -t tmpfs tmpfs /run
mkdir -p /run/out /run/tmp /run/home /run/lock /dev/shm
mount -t tmpfs tmpfs /dev/shm
export TMPDIR=/run/tmp HOME=/run/home XDG_STATE_HOME=/run/home/state NODE_COMPILE_CACHE=/run/tmp/compiled
# The host shows its /tmp, which cannot be written to here.
export CACHESCOPE_LOCK_DIRECTORY=/run/lock
cd /run/tmp || exit

case "$CACHESCOPE_SHARE" in
  hostfs) mount -t hostfs -o "$CACHESCOPE_OUT" hostfs /run/out ;;
  *) mount -t virtiofs out /run/out ;;
esac
for module in $(echo "$CACHESCOPE_MODULES" | tr : ' '); do
  insmod "$module" || busybox insmod "$module"
done
ip link set lo up
# What the host compiled already: this processor takes 20 s for it.
cp -r "$CACHESCOPE_ROOT/node_modules/.cache/compiled" /run/tmp/compiled

echo "guest: up"
case "$CACHESCOPE_TASK" in
  probe) true ;;
  *) "$CACHESCOPE_NODE" "$CACHESCOPE_ROOT/scripts/dm-delay/guest-$CACHESCOPE_TASK.ts" /run/out ;;
esac
echo "guest: ended with $?"
sync
busybox poweroff -f
