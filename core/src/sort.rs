//! One sort for lists of every type.
//!
//! The standard library's sort is compiled anew for each type that is sorted, some 4 KB a time, and the wasm file had
//! twenty copies of it. Here the numbers `0..len` are sorted, whatever they stand for, and the list is then put in their
//! order. For the same reason maps and sets are filled one by one: to `collect` them is to sort them first.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The places of a list in the order of what stands there; equal things keep theirs. Runs of one, two, four and so on
/// are merged.
pub(crate) fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut merged = Vec::with_capacity(len);
    let mut width = 1;
    while width < len {
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some((&a, behind_a)), Some((&b, behind_b))) = (left.split_first(), right.split_first()) {
                if compare(a, b).is_gt() {
                    merged.push(b);
                    right = behind_b;
                } else {
                    merged.push(a);
                    left = behind_a;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        core::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    order
}

/// A list in order; equal things stay as they stood.
pub(crate) fn sorted<T>(list: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = order(list.len(), &|a, b| compare(&list[a], &list[b]));
    let mut list: Vec<Option<T>> = list.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| list.get_mut(place)?.take()).collect()
}

/// A set of these.
pub(crate) fn set<T: Ord>(items: impl Iterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

/// A map of these; of two with the same key the last one stays.
pub(crate) fn map<K: Ord, V>(items: impl Iterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in items {
        map.insert(key, value);
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn equal_things_stay_as_they_stood() {
        let list = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        assert_eq!(sorted(list, |a, b| a.0.cmp(&b.0)), [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }

    proptest! {
        #[test]
        fn it_is_the_standard_librarys_order(list in proptest::collection::vec(0_u8..9, 0..70)) {
            let mut expected: Vec<(u8, usize)> = list.iter().copied().zip(0..).collect();
            let found = sorted(expected.clone(), |a, b| a.0.cmp(&b.0));
            expected.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
