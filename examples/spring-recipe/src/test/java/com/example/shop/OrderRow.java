package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order of the shop, for JPA. */
@Entity
@Table(name = "orders")
class OrderRow {

  @Id private int id;

  /** Creates an empty order, which Hibernate fills. */
  protected OrderRow() {}

  OrderRow(int id) {
    this.id = id;
  }

  int id() {
    return id;
  }
}
