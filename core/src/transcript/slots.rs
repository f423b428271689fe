//! Things by their ids, in the order in which the ids came first.
//!
//! A map is compiled anew for each type of its values, some kilobytes a time. Here one map for all of them holds places.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Things by their ids.
#[derive(Debug)]
pub(super) struct Slots<T> {
    places: BTreeMap<String, usize>,
    all: Vec<T>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Slots { places: BTreeMap::new(), all: Vec::new() }
    }
}

impl<T: Default> Slots<T> {
    pub(super) fn get(&self, id: &str) -> Option<&T> {
        self.all.get(place(&self.places, id)?)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.all.get_mut(place(&self.places, id)?)
    }

    /// Gives a new id a thing, or changes the one that it has.
    pub(super) fn change<R>(&mut self, id: &str, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let place = entered(&mut self.places, id, self.all.len());
        if place == self.all.len() {
            self.all.push(T::default());
        }
        self.all.get_mut(place).map(change)
    }

    /// All things, the first id's first.
    pub(super) fn into_all(self) -> Vec<T> {
        self.all
    }

    pub(super) fn all_mut(&mut self) -> &mut [T] {
        &mut self.all
    }
}

#[inline(never)]
fn place(places: &BTreeMap<String, usize>, id: &str) -> Option<usize> {
    places.get(id).copied()
}

/// The place of an id; a new one gets the next.
#[inline(never)]
fn entered(places: &mut BTreeMap<String, usize>, id: &str, next: usize) -> usize {
    if let Some(place) = places.get(id) {
        return *place;
    }
    places.insert(id.to_owned(), next);
    next
}
